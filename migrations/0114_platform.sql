-- +goose Up

-- Scheduled jobs and other background work under a lease, which one node holds.
CREATE TABLE jobs (
    name        TEXT   NOT NULL PRIMARY KEY,
    owner       TEXT   NOT NULL, -- the node that holds the lease
    lease_until BIGINT NOT NULL,
    last_run_at BIGINT,          -- when the last complete run started
    next_run_at BIGINT NOT NULL,
    done        BIGINT NOT NULL, -- rows that the last run handled
    error       TEXT   NOT NULL, -- of the last run
    last_end_at BIGINT,
    last_node   TEXT   NOT NULL DEFAULT '',
    began_at    BIGINT           -- when the current run started
) WITHOUT ROWID;

-- Stored responses to requests with an Idempotency-Key. Keys are random, so SQLite stores the rows in order of arrival,
-- and only the small index of the key is written at random places.
CREATE TABLE idempotency_keys (
    store_id     BIGINT NOT NULL, -- 0 for requests without a store
    request_key  TEXT   NOT NULL, -- hash of the caller and the key
    digest       TEXT   NOT NULL, -- HMAC of the request with the key, because bodies may contain passwords
    status       BIGINT NOT NULL,
    content_type TEXT   NOT NULL, -- empty without a body
    location     TEXT   NOT NULL,
    body         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL, -- by the server's clock
    PRIMARY KEY (store_id, request_key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at); -- the job that deletes old keys

-- Row counts of long tables. Concurrent transactions count in different rows.
CREATE TABLE row_counts (
    store_id BIGINT NOT NULL,
    name     TEXT   NOT NULL, -- such as transactions
    shard    BIGINT NOT NULL,
    counted  BIGINT NOT NULL,
    PRIMARY KEY (store_id, name, shard)
) WITHOUT ROWID;
--postgres: ALTER TABLE row_counts SET (fillfactor = 50);
