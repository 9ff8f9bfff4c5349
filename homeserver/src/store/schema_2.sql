-- Which installation of the service these accounts belong to; unknown until the service says it.
ALTER TABLE stream ADD COLUMN installation TEXT;
