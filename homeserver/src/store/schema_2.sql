-- Which installation of the service these accounts belong to; unknown until the service says it.
ALTER TABLE stream ADD COLUMN installation TEXT;
-- How many aliases and signatures somebody has made.
CREATE INDEX aliases_creator ON aliases (creator);
CREATE INDEX key_signatures_signer ON key_signatures (signer);
-- Who sent a message that waits and how large it is: a box has a size, and nobody takes all of another's.
ALTER TABLE inbox ADD COLUMN sender TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE inbox SET sender = json_extract(message, '$.sender'), bytes = octet_length(message);
CREATE INDEX inbox_sizes ON inbox (user, device, seq, sender, bytes);
