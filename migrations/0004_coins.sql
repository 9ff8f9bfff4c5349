-- The coin ledger. A coin moves only by a row in coin_transfers: it leaves the debit account and arrives at the credit
-- account. An account's balance is its credits less its debits, so all balances together are always zero.

-- The other side of every transfer. These accounts may go below zero, and their balance is stored nowhere: it is the sum
-- of their legs. A stored one would be a single row for which all writers of all nodes wait.
CREATE TABLE coin_house_accounts (
    id INTEGER PRIMARY KEY CHECK (id < 0),
    name TEXT NOT NULL UNIQUE
) STRICT;

INSERT INTO coin_house_accounts (id, name)
VALUES (-1, 'welcome'), (-2, 'daily_bonus'), (-3, 'spending'), (-4, 'corrections');

-- A user's account; its number is the user's. The greatest balance is one that every JSON reader holds exactly.
CREATE TABLE coin_accounts (
    user_id INTEGER NOT NULL REFERENCES users (id),
    balance INTEGER NOT NULL CHECK (balance BETWEEN 0 AND 9000000000000000),
    -- How many transfers the account has; they are numbered from 1 without gaps.
    entries INTEGER NOT NULL CHECK (entries >= 0),
    -- The last UTC day (since 1970) on which the daily bonus was claimed, and how many days in a row.
    last_claim_day INTEGER,
    streak_days INTEGER NOT NULL CHECK (streak_days >= 0),
    -- Set when the balance was found to disagree with the entries; nothing moves until an operator has looked.
    frozen_at INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id)
) STRICT;
CREATE INDEX coin_accounts_frozen ON coin_accounts (user_id) WHERE frozen_at IS NOT NULL;

INSERT INTO coin_accounts (user_id, balance, entries, streak_days, created_at)
SELECT id, 0, 0, 0, created_at FROM users;

-- Rows are only ever added.
CREATE TABLE coin_transfers (
    id TEXT NOT NULL PRIMARY KEY,
    debit_account INTEGER NOT NULL,
    credit_account INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9000000000000000),
    -- Which of the two is the user's, the number of this transfer in that account, and what it left there.
    account_id INTEGER NOT NULL REFERENCES coin_accounts (user_id),
    entry INTEGER NOT NULL CHECK (entry >= 1),
    balance_after INTEGER NOT NULL CHECK (balance_after BETWEEN 0 AND 9000000000000000),
    reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 255),
    reference_id TEXT CHECK (length(reference_id) <= 255),
    created_at INTEGER NOT NULL,
    -- The house's side is no foreign key: on PostgreSQL each would lock the one row that all transfers share.
    CHECK ((debit_account = account_id AND credit_account < 0) OR (credit_account = account_id AND debit_account < 0)),
    UNIQUE (account_id, entry)
) STRICT;
