-- What an account is to be is said by the tables of users, sessions and blocks; here is which version of that is wanted, and
-- which the homeserver was last made to match.
ALTER TABLE chat_accounts ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE chat_accounts ADD COLUMN done_version INTEGER NOT NULL DEFAULT 0;
-- Since when it has been behind.
ALTER TABLE chat_accounts ADD COLUMN wanted_at INTEGER NOT NULL DEFAULT 0;
-- Whom the homeserver was told to hide from this account: a list of ids as JSON.
ALTER TABLE chat_accounts ADD COLUMN ignored TEXT NOT NULL DEFAULT '[]';
CREATE INDEX chat_accounts_behind ON chat_accounts (wanted_at, matrix_id) WHERE done_version < version;

-- Accounts of users who are in, and for whom nothing was waiting, are as they should be. All others are looked at again.
UPDATE chat_accounts SET done_version = 1 WHERE user_id IS NULL;
UPDATE chat_accounts SET done_version = 1
WHERE state = 'ready' AND is_current = 1
  AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = chat_accounts.user_id
                  AND (u.deleted_at IS NOT NULL OR u.banned_at IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM chat_blocks b WHERE b.user_id = chat_accounts.user_id)
  AND NOT EXISTS (SELECT 1 FROM chat_devices d WHERE d.matrix_id = chat_accounts.matrix_id AND d.ended_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.dedup_key IN
                  ('chat_provision:' || chat_accounts.user_id, 'chat_profile:' || chat_accounts.user_id));
DELETE FROM jobs WHERE kind IN ('chat_provision', 'chat_profile', 'chat_move_account', 'chat_close_account', 'chat_end_devices',
                                'chat_remove_user', 'chat_ignore', 'chat_find_roomless', 'chat_archive');

-- Whose turn it is to change what somebody is to a room, so that of several requests at once one speaks to the homeserver.
CREATE TABLE chat_turns (
    room_id TEXT NOT NULL,
    matrix_id TEXT NOT NULL,
    leased_until INTEGER NOT NULL,
    -- The network has told of a change since, so what the request did is known already, or is no longer so.
    is_overtaken INTEGER NOT NULL CHECK (is_overtaken IN (0, 1)),
    PRIMARY KEY (room_id, matrix_id)
) STRICT;
CREATE INDEX chat_turns_by_age ON chat_turns (leased_until);

-- A new name of somebody is hidden from everybody who has blocked them.
CREATE INDEX chat_blocks_of_blocked ON chat_blocks (blocked_user_id);
