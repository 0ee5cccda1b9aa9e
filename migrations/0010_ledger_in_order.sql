-- +goose Up

-- The ledger grows at one end: transfers are kept in the order in which they were made, and each names the
-- one before it of the same customer, so that his list is followed from the account backwards. What is left
-- of his open lots is in the account row, which a change of points locks, reads and writes anyway.
ALTER TABLE accounts ADD COLUMN lots TEXT NOT NULL DEFAULT '[]'; -- open ones, with what is left of each
ALTER TABLE accounts ADD COLUMN transfers BIGINT NOT NULL DEFAULT 0; -- how many there are
ALTER TABLE accounts ADD COLUMN last_transfer_id TEXT NOT NULL DEFAULT '';

UPDATE accounts SET
    transfers = (SELECT COUNT(*) FROM transfers t
        WHERE t.store_id = accounts.store_id AND t.customer_id = accounts.customer_id),
    last_transfer_id = COALESCE((SELECT t.transfer_id FROM transfers t
        WHERE t.store_id = accounts.store_id AND t.customer_id = accounts.customer_id
        ORDER BY t.transfer_id DESC LIMIT 1), ''),
--postgres:     lots = COALESCE((SELECT CAST(json_agg(json_build_object('id', t.transfer_id, 'left', t.available,
--postgres:         'p2p', t.type = 'p2p_adding', 'expires', COALESCE(t.expires_at, 0),
--postgres:         'locked', CASE WHEN t.state = 'pending' THEN t.locked_until ELSE 0 END)) AS VARCHAR)
--sqlite:     lots = COALESCE((SELECT json_group_array(json_object('id', lower(substr(hex(t.transfer_id), 1, 8) || '-' ||
--sqlite:         substr(hex(t.transfer_id), 9, 4) || '-' || substr(hex(t.transfer_id), 13, 4) || '-' ||
--sqlite:         substr(hex(t.transfer_id), 17, 4) || '-' || substr(hex(t.transfer_id), 21)), 'left', t.available,
--sqlite:         'p2p', json(CASE t.type WHEN 'p2p_adding' THEN 'true' ELSE 'false' END),
--sqlite:         'expires', COALESCE(t.expires_at, 0),
--sqlite:         'locked', CASE WHEN t.state = 'pending' THEN t.locked_until ELSE 0 END))
        FROM transfers t WHERE t.store_id = accounts.store_id AND t.customer_id = accounts.customer_id
            AND t.is_open = TRUE), '[]');

CREATE TABLE transfers_in_order (
    store_id       BIGINT  NOT NULL,
    transfer_id    TEXT    NOT NULL,
    previous_id    TEXT    NOT NULL, -- the customer's transfer before this one; empty for his first
    customer_id    TEXT    NOT NULL,
    type           TEXT    NOT NULL, -- adding, spending, p2p_adding, p2p_spending, blocked
    state          TEXT    NOT NULL, -- active, pending, expired, canceled
    value          BIGINT  NOT NULL CHECK (value > 0),
    is_open        BOOLEAN NOT NULL, -- a lot that still has something to give, now or when unlocked
    lapsed         BIGINT  NOT NULL CHECK (lapsed >= 0 AND lapsed <= value), -- what a lot lost when it expired
    created_at     BIGINT  NOT NULL,
    expires_at     BIGINT,
    locked_until   BIGINT,
    issuer         TEXT    NOT NULL,
    comment        TEXT    NOT NULL,
    transaction_id TEXT    NOT NULL,
    revised_transaction_id TEXT NOT NULL,
    other_customer_id TEXT NOT NULL, -- the other side of a p2p transfer
    lots           TEXT    NOT NULL, -- on a spend: which lots gave how much
    PRIMARY KEY (store_id, transfer_id)
) WITHOUT ROWID;
INSERT INTO transfers_in_order
SELECT store_id, transfer_id, COALESCE(LAG(transfer_id) OVER (PARTITION BY store_id, customer_id ORDER BY transfer_id), ''),
    customer_id, type, state, value, is_open, CASE WHEN is_open THEN 0 ELSE available END, created_at, expires_at, locked_until,
    issuer, comment, transaction_id, revised_transaction_id, other_customer_id, lots
FROM transfers;
DROP TABLE transfers;
ALTER TABLE transfers_in_order RENAME TO transfers;
-- These two hold all that is asked of the few transfers that are in them.
CREATE INDEX transfers_returns ON transfers (store_id, customer_id, revised_transaction_id, type, value)
    WHERE revised_transaction_id <> '';
CREATE INDEX transfers_transaction ON transfers (store_id, transaction_id, type, state, customer_id, value)
    WHERE transaction_id <> '';
