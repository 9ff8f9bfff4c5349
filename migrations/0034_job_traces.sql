-- The trace that a job is part of, as `traceparent` names it; null where none is recorded.
ALTER TABLE jobs ADD COLUMN trace TEXT;
