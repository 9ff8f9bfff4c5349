-- Users as operators search them. Those who left are in neither index, so a search counts and skips without looking at a user.
CREATE INDEX users_by_username ON users (username, id) WHERE deleted_at IS NULL;
DROP INDEX users_by_name;
CREATE INDEX users_by_name ON users (name_folded, id) WHERE name_folded IS NOT NULL AND deleted_at IS NULL;

-- With what became of each message, so that those of the last hour are counted without looking at them.
DROP INDEX sms_log_by_time;
CREATE INDEX sms_log_by_time ON sms_log (created_at, id, status);
