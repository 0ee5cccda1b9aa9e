-- +goose Up

-- How often what administrators configure has changed. A change raises its numbers in its own transaction, so a node
-- knows by them whether what it holds in memory is what a transaction would read.
CREATE TABLE configuration_versions (
    store_id BIGINT NOT NULL, -- 0 for what all stores share
    part     TEXT   NOT NULL, -- the table; empty for any table of the store
    version  BIGINT NOT NULL,
    PRIMARY KEY (store_id, part)
) WITHOUT ROWID;

-- The version of what all stores share is always known.
INSERT INTO configuration_versions (store_id, part, version) VALUES (0, '', 0);
