-- +goose Up

-- How many customers entered the levels since this table exists, less those who left: with levels.customers, the number
-- of customers in each. Concurrent transactions count in different rows. The rows of levels change with the
-- configuration only.
CREATE TABLE level_counts (
    store_id  BIGINT NOT NULL,
    level_id  TEXT   NOT NULL,
    shard     BIGINT NOT NULL,
    customers BIGINT NOT NULL,
    PRIMARY KEY (store_id, level_id, shard)
) WITHOUT ROWID;
--postgres: ALTER TABLE level_counts SET (fillfactor = 50);
