-- +goose Up

-- Sales of a store by day, split by point of sale (dimension 1) and by the level of the customer (dimension 2).
-- Concurrent transactions add to different rows.
CREATE TABLE sale_sums (
    store_id         BIGINT NOT NULL,
    dimension        BIGINT NOT NULL,
    day              BIGINT NOT NULL, -- days since 1970-01-01 in the time zone of the store
    subject_id       TEXT   NOT NULL, -- point of sale or level; empty for none
    shard            BIGINT NOT NULL,
    receipts         BIGINT NOT NULL, -- sales that are not completely returned
    sales            BIGINT NOT NULL, -- money, less returns
    matched_receipts BIGINT NOT NULL, -- the same of receipts with a customer
    matched_sales    BIGINT NOT NULL,
    PRIMARY KEY (store_id, dimension, day, subject_id, shard)
) WITHOUT ROWID;
--postgres: ALTER TABLE sale_sums SET (fillfactor = 50);

-- The level of the customer when the receipt was matched; empty for receipts from before this column.
ALTER TABLE transactions ADD COLUMN level_id TEXT NOT NULL DEFAULT '';

-- The job computes the new sums.
UPDATE rollups SET settled = FALSE;
