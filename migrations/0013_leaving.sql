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
