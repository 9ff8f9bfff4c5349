-- Which installation of the service these accounts belong to; unknown until the service says it.
ALTER TABLE stream ADD COLUMN installation TEXT;

-- Finds whether somebody reacted in the same way before.
CREATE INDEX events_annotations ON events (relates_to, sender) WHERE rel_type = 'm.annotation';
