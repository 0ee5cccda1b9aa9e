-- +goose Up

-- The customer into whom a customer was merged; empty for none. The status of a merged customer is deleted.
ALTER TABLE customers ADD COLUMN merged_into TEXT NOT NULL DEFAULT '';
CREATE INDEX customers_merged ON customers (store_id, merged_into, customer_id) WHERE merged_into <> '';

-- What the sums of an account contain from the transfers of merged customers, or lack because the customer was merged.
ALTER TABLE accounts ADD COLUMN carried_earned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN carried_used BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN carried_expired BIGINT NOT NULL DEFAULT 0;

-- Merges of two customers.
CREATE TABLE customer_merges (
    store_id  BIGINT NOT NULL,
    merge_id  TEXT   NOT NULL,
    kept_id   TEXT   NOT NULL,
    merged_id TEXT   NOT NULL,
    merged_at BIGINT NOT NULL,
    merged_by TEXT   NOT NULL, -- name of the administrator
    undone_at BIGINT,
    undone_by TEXT   NOT NULL,
    points    BIGINT NOT NULL, -- that moved, pending ones included
    coupons   BIGINT NOT NULL, -- that moved
    receipts  BIGINT NOT NULL, -- that moved
    record    TEXT   NOT NULL, -- JSON: what an undoing restores; empty when it is not possible any more
    PRIMARY KEY (store_id, merge_id)
) WITHOUT ROWID;
CREATE INDEX customer_merges_kept ON customer_merges (store_id, kept_id, merge_id);     -- merges of a customer
CREATE INDEX customer_merges_merged ON customer_merges (store_id, merged_id, merge_id); -- the same
