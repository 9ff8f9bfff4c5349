-- What the request that has a turn makes of the member: join, invite or leave. The network tells in order, so what it tells before
-- this is older than the request. Nothing: a turn of an earlier version.
ALTER TABLE chat_turns ADD COLUMN wanted TEXT;
