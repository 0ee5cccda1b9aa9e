-- +goose Up

-- How many rows of some names a store has. Transactions that run at once count in different lanes.
CREATE TABLE tallies (
    store_id BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    lane     BIGINT NOT NULL,
    counted  BIGINT NOT NULL,
    PRIMARY KEY (store_id, name, lane)
) WITHOUT ROWID;
--postgres: ALTER TABLE tallies SET (fillfactor = 50);

INSERT INTO tallies SELECT store_id, 'transactions', shard, transactions FROM transaction_counters;
DROP TABLE transaction_counters;
INSERT INTO tallies SELECT store_id, 'transfers.' || type, 0, COUNT(*) FROM transfers GROUP BY store_id, type;
