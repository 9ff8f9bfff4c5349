-- Whether somebody wants to hear of what is said in their rooms, and when that was told last.
ALTER TABLE push_settings ADD COLUMN chat INTEGER NOT NULL DEFAULT 1;
ALTER TABLE push_settings ADD COLUMN chat_at INTEGER NOT NULL DEFAULT 0;
