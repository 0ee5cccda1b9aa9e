-- +goose Up

-- Answers to requests that came with an Idempotency-Key. Keys are random, so SQLite keeps the rows in the order of
-- their arrival and only the small entries of the key's index lie scattered.
CREATE TABLE idempotency_keys (
    store_id     BIGINT NOT NULL, -- 0 for what belongs to no store
    request_key  TEXT   NOT NULL, -- hash of the caller and his key
    digest       TEXT   NOT NULL, -- of what was asked for, hashed under the key: bodies may hold passwords
    status       BIGINT NOT NULL,
    content_type TEXT   NOT NULL, -- empty without a body
    location     TEXT   NOT NULL,
    body         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL, -- by the clock of the server, whatever the store's test clock shows
    PRIMARY KEY (store_id, request_key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
