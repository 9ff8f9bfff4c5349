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

-- Finds whether somebody reacted in the same way before.
CREATE INDEX events_annotations ON events (relates_to, sender) WHERE rel_type = 'm.annotation';

-- The root of the thread that an event is in, itself or by what it relates to; NULL in the main timeline.
ALTER TABLE events ADD COLUMN thread TEXT;
UPDATE events SET thread = relates_to WHERE rel_type = 'm.thread';
CREATE INDEX events_threads ON events (room, seq, thread, sender, notify)
    WHERE notify > 0 AND thread IS NOT NULL;

-- By which users prove to others who they are; only hashes are kept.
CREATE TABLE openid_tokens (
    hash BLOB PRIMARY KEY,
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX openid_tokens_user ON openid_tokens (user, expires_at);
CREATE INDEX openid_tokens_age ON openid_tokens (expires_at);

-- When and from where a device called last, to within ten minutes.
ALTER TABLE devices ADD COLUMN last_seen_ts INTEGER;
ALTER TABLE devices ADD COLUMN last_seen_ip TEXT;

-- The position of the last redaction: counts from before it do not hold.
ALTER TABLE rooms ADD COLUMN redacted_at INTEGER;
