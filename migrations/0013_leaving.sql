-- A day's messages in parts that are summed, so that senders do not all wait for one row.
CREATE TABLE sms_budget_parts (
    day INTEGER NOT NULL,
    part INTEGER NOT NULL CHECK (part BETWEEN 0 AND 15),
    sent INTEGER NOT NULL CHECK (sent >= 0),
    PRIMARY KEY (day, part)
) STRICT;
INSERT INTO sms_budget_parts (day, part, sent)
SELECT day, part, (sent + 15 - part) / 16 FROM sms_budget
CROSS JOIN (SELECT CAST(value AS INTEGER) AS part FROM json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]')) AS parts;
DROP TABLE sms_budget;

-- Where the sends of this code are counted by client address, to be given back when the code is verified.
ALTER TABLE phone_challenges ADD COLUMN places TEXT NOT NULL DEFAULT '';

-- For whom a message was: 0 for somebody logging in, otherwise the user who verified this phone, or had it and moved away from it.
ALTER TABLE sms_log ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sms_log_by_owner ON sms_log (owner) WHERE owner <> 0;

-- Usernames that were given up, for ever taken: keyed hashes; those from before this table are plain ones.
CREATE TABLE closed_usernames (
    name_hash BLOB NOT NULL PRIMARY KEY
) STRICT;
INSERT INTO closed_usernames (name_hash) SELECT name_hash FROM chat_closed_names;

-- Phones of deleted accounts (under a keyed hash), so that coming back gives no second welcome; kept for coins.leavers_kept_days.
CREATE TABLE coin_leavers (
    phone_key TEXT NOT NULL PRIMARY KEY,
    last_claim_day INTEGER,
    left_at INTEGER NOT NULL
) STRICT;
CREATE INDEX coin_leavers_by_age ON coin_leavers (left_at);
