-- +goose Up

-- Accounts of customers. Every change of a customer's points locks, reads and writes this row, which holds the sums of
-- the ledger and the open lots.
CREATE TABLE accounts (
    store_id         BIGINT NOT NULL,
    customer_id      TEXT   NOT NULL,
    account_id       TEXT   NOT NULL,
    points           BIGINT NOT NULL CHECK (points >= 0), -- available points
    p2p              BIGINT NOT NULL CHECK (p2p >= 0),    -- the part of points that came from other customers
    earned           BIGINT NOT NULL,
    used             BIGINT NOT NULL,
    expired          BIGINT NOT NULL,
    locked           BIGINT NOT NULL CHECK (locked >= 0), -- pending points
    blocked          BIGINT NOT NULL CHECK (blocked >= 0),
    next_due_at      BIGINT, -- no lot unlocks or expires before this time
    lots             TEXT   NOT NULL DEFAULT '[]', -- JSON: the open lots with what is left of each
    transfers        BIGINT NOT NULL DEFAULT 0,    -- number of transfers
    last_transfer_id TEXT   NOT NULL DEFAULT '',   -- head of the linked list of transfers
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
CREATE INDEX accounts_due ON accounts (store_id, next_due_at) WHERE next_due_at IS NOT NULL; -- the job "points due"
--postgres: ALTER TABLE accounts SET (fillfactor = 50);

-- Numbers of purchases by customer and campaign, for the limits per customer and the number of customers of a campaign.
-- The lock of the account guards these rows.
CREATE TABLE purchase_counts (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    bought      BIGINT NOT NULL CHECK (bought >= 0), -- without cancelled purchases
    PRIMARY KEY (store_id, customer_id, campaign_id)
) WITHOUT ROWID;

-- The ledger, in order of creation. A transfer that adds points is a lot. Each transfer refers to the previous one of
-- its customer, so that the transfers of a customer are read backwards from the account without an index.
CREATE TABLE transfers (
    store_id       BIGINT  NOT NULL,
    transfer_id    TEXT    NOT NULL,
    previous_id    TEXT    NOT NULL, -- the previous transfer of the customer; empty for the first one
    customer_id    TEXT    NOT NULL,
    type           TEXT    NOT NULL, -- adding, spending, p2p_adding, p2p_spending, blocked
    state          TEXT    NOT NULL, -- active, pending, expired, canceled
    value          BIGINT  NOT NULL CHECK (value > 0),
    is_open        BOOLEAN NOT NULL, -- a lot with points left, available or pending
    lapsed         BIGINT  NOT NULL CHECK (lapsed >= 0 AND lapsed <= value), -- points that expired with the lot
    created_at     BIGINT  NOT NULL,
    expires_at     BIGINT,
    locked_until   BIGINT,
    issuer         TEXT    NOT NULL,
    comment        TEXT    NOT NULL,
    transaction_id TEXT    NOT NULL, -- the receipt that earned the points
    revised_transaction_id TEXT NOT NULL, -- the sale whose return took points back
    other_customer_id TEXT NOT NULL, -- the other side of a transfer between customers
    lots           TEXT    NOT NULL, -- JSON: the lots that a spend consumed, with the points of each
    PRIMARY KEY (store_id, transfer_id)
) WITHOUT ROWID;
-- Both are covering indexes of the few transfers of receipts: what returns took back, and what a receipt earned.
CREATE INDEX transfers_returns ON transfers (store_id, customer_id, revised_transaction_id, type, value)
    WHERE revised_transaction_id <> '';
CREATE INDEX transfers_transaction ON transfers (store_id, transaction_id, type, state, customer_id, value)
    WHERE transaction_id <> '';
