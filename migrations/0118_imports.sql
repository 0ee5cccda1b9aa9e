-- +goose Up

-- Imports of files with customers, points or receipts.
CREATE TABLE imports (
    store_id      BIGINT  NOT NULL,
    import_id     TEXT    NOT NULL,
    kind          TEXT    NOT NULL, -- customers, transfers, transactions or assignments
    state         TEXT    NOT NULL, -- uploading, waiting, running, finished, cancelled or failed
    format        TEXT    NOT NULL, -- xml or csv
    file_name     TEXT    NOT NULL,
    bytes         BIGINT  NOT NULL, -- of the file
    content_hash  TEXT    NOT NULL, -- SHA-256 of the file in hexadecimal; empty while it is uploading
    dry_run       BOOLEAN NOT NULL,
    options       TEXT    NOT NULL, -- JSON: what new customers do not get
    records       BIGINT  NOT NULL, -- in the file; 0 until they are counted
    done          BIGINT  NOT NULL, -- records that were carried out, from the beginning of the file
    failed        BIGINT  NOT NULL, -- refused ones among them
    error         TEXT    NOT NULL, -- why the state is failed
    error_code    TEXT    NOT NULL,
    created_by    TEXT    NOT NULL, -- JSON
    created_at    BIGINT  NOT NULL,
    started_at    BIGINT,
    finished_at   BIGINT,
    owner         TEXT    NOT NULL, -- the run that carries it out; empty for none
    lease_until   BIGINT,           -- by the server's clock; then another run may take over
    PRIMARY KEY (store_id, import_id)
) WITHOUT ROWID;
CREATE INDEX imports_kind ON imports (store_id, kind, import_id);
CREATE INDEX imports_content ON imports (store_id, kind, content_hash, import_id); -- files that come again
CREATE INDEX imports_open ON imports (store_id, import_id) WHERE state IN ('waiting', 'running');
CREATE INDEX imports_created ON imports (created_at); -- the job that deletes old imports

-- The files of imports, in parts. They are deleted when the import has finished.
CREATE TABLE import_parts (
    store_id  BIGINT NOT NULL,
    import_id TEXT   NOT NULL,
    number    BIGINT NOT NULL, -- from 0
--sqlite:     content   BLOB   NOT NULL,
--postgres:     content   BYTEA  NOT NULL,
    PRIMARY KEY (store_id, import_id, number)
);

-- The records that were refused.
CREATE TABLE import_errors (
    store_id       BIGINT NOT NULL,
    import_id      TEXT   NOT NULL,
    record         BIGINT NOT NULL, -- number in the file, from 1
    line           BIGINT NOT NULL,
    identifier     TEXT   NOT NULL, -- such as an e-mail address
    identifier_key TEXT   NOT NULL, -- the part that may identify a customer, in lower case
    message        TEXT   NOT NULL,
    problems       TEXT   NOT NULL, -- JSON: the errors of the message with their codes
    PRIMARY KEY (store_id, import_id, record)
) WITHOUT ROWID;
CREATE INDEX import_errors_identifier ON import_errors (store_id, identifier_key); -- anonymization
