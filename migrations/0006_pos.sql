-- +goose Up

-- The tills of a store. The two counters are the sums of what was sold there, less what came back.
CREATE TABLE points_of_sale (
    store_id            BIGINT NOT NULL,
    pos_id              TEXT   NOT NULL,
    identifier          TEXT   NOT NULL,
    name                TEXT   NOT NULL,
    description         TEXT   NOT NULL,
    location            TEXT   NOT NULL,
    transactions_amount BIGINT NOT NULL, -- hundredths of a currency unit
    transactions_count  BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    PRIMARY KEY (store_id, pos_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX points_of_sale_identifier ON points_of_sale (store_id, identifier);
--postgres: ALTER TABLE points_of_sale SET (fillfactor = 50);

-- The inner key that the last store got.
INSERT INTO counters (name, value) SELECT 'store', COALESCE(MAX(store_id), 0) FROM stores;

ALTER TABLE administrators ADD COLUMN api_key_end TEXT NOT NULL DEFAULT ''; -- the last characters of the key
