-- +goose Up

-- How administrators last read files with the same columns.
CREATE TABLE import_layouts (
    store_id    BIGINT NOT NULL,
    kind        TEXT   NOT NULL, -- as in imports
    header_hash TEXT   NOT NULL, -- SHA-256 of the names of the columns in hexadecimal
    layout      TEXT   NOT NULL, -- JSON
    used_at     BIGINT NOT NULL,
    PRIMARY KEY (store_id, kind, header_hash)
) WITHOUT ROWID;
