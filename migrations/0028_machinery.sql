-- What the house has given and taken, up to the moment in coin_fold. One job adds to it, so that nobody waits for these rows.
ALTER TABLE coin_house_accounts ADD COLUMN coins INTEGER NOT NULL DEFAULT 0;

-- Coins that moved, by UTC day (since 1970), house account and reason. In is to users, out is from them.
CREATE TABLE coin_flows (
    day INTEGER NOT NULL,
    account_id INTEGER NOT NULL REFERENCES coin_house_accounts (id),
    reason TEXT NOT NULL,
    transfers INTEGER NOT NULL,
    coins_in INTEGER NOT NULL,
    coins_out INTEGER NOT NULL,
    PRIMARY KEY (day, account_id, reason)
) STRICT;

-- Up to where transfers are in coin_flows: those whose ids sort behind last_id are not. Transfers before complete_to all are.
CREATE TABLE coin_fold (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_id TEXT NOT NULL,
    complete_to INTEGER NOT NULL
) STRICT;
INSERT INTO coin_fold (id, last_id, complete_to) VALUES (1, '', 0);

-- What the auditor found, run by run.
CREATE TABLE coin_reconciliations (
    id INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    accounts INTEGER NOT NULL,
    -- Accounts that disagree with their entries, those that were frozen before among them, and by how much in all, without sign.
    disagreeing INTEGER NOT NULL,
    difference INTEGER NOT NULL,
    -- Whether coin_flows had to be summed anew because it disagreed with the transfers.
    flows_renewed INTEGER NOT NULL CHECK (flows_renewed IN (0, 1))
) STRICT;

-- Why an account is frozen: its balance less the sum of its entries, and whether those are whole. Nobody knows for those of before,
-- until the auditor comes by again.
ALTER TABLE coin_accounts ADD COLUMN frozen_difference INTEGER;
ALTER TABLE coin_accounts ADD COLUMN frozen_entries_whole INTEGER CHECK (frozen_entries_whole IN (0, 1));

-- What became of messages, by hour (since 1970), provider (empty for what was refused before any was asked), calling code, outcome,
-- and why it failed or was refused (empty for what was sent). Nothing of whom they were for.
CREATE TABLE sms_counts (
    hour INTEGER NOT NULL,
    provider TEXT NOT NULL,
    calling_code TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('sent', 'failed', 'refused')),
    why TEXT NOT NULL,
    messages INTEGER NOT NULL,
    PRIMARY KEY (hour, provider, calling_code, outcome, why)
) STRICT;

-- The processes that run, each of which writes itself down every few seconds.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    version TEXT NOT NULL,
    listen TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    -- How long the write before this one took.
    lag_ms INTEGER NOT NULL,
    -- How far its clock is ahead of the database's; none with the embedded one.
    clock_difference_ms INTEGER
) STRICT;
