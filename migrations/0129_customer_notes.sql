-- +goose Up

-- What administrators noted about customers, for each other.
CREATE TABLE customer_notes (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    note_id     TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    created_by  TEXT   NOT NULL, -- name of the administrator
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, note_id)
) WITHOUT ROWID;
