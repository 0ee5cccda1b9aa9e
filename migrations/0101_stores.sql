-- +goose Up

-- Conventions of the whole schema:
--
-- Points, money and rates are whole numbers: hundredths of points, ten-thousandths of a unit of money, millionths of a
-- rate such as percent, unless a comment says otherwise. Times are microseconds since 1970 in UTC. Ids are UUIDv7 in
-- text form; SQLite stores them as 16 bytes. They grow with time, so keys that end with an id are in order of creation.
-- A text without a value is empty, not NULL. Columns that end in _key hold a value as filters compare it: in lower case
-- and trimmed. Columns with JSON are opaque to the database.
--
-- The key of every table of a store begins with store_id, so that the rows of a store lie together, and a distributed
-- database can spread stores over nodes. On SQLite, WITHOUT ROWID clusters a table by its key.
--
-- A line that begins with --sqlite: or --postgres: is read by that database only. A fillfactor leaves room in the pages
-- of tables whose rows are updated often, so that PostgreSQL updates no index.

-- Stores and their settings. Each node caches this table.
CREATE TABLE stores (
    store_id    BIGINT  NOT NULL PRIMARY KEY, -- the store in all other tables; never shown
    id          TEXT    NOT NULL UNIQUE,      -- the store in responses
    code        TEXT    NOT NULL UNIQUE,      -- the store in paths
    name        TEXT    NOT NULL,
    name_order  TEXT    NOT NULL DEFAULT '', -- without case and accents: the order of lists
    currency    TEXT    NOT NULL,
    active      BOOLEAN NOT NULL,
    settings    TEXT    NOT NULL, -- JSON
    created_at  BIGINT  NOT NULL,
    sandbox     BOOLEAN NOT NULL DEFAULT FALSE, -- the clock can be moved
    clock_ahead BIGINT  NOT NULL DEFAULT 0      -- microseconds between the server's clock and the store's
);

-- Pictures and documents of stores.
CREATE TABLE store_files (
    store_id   BIGINT NOT NULL,
    name       TEXT   NOT NULL, -- logo, hero-image, ..., or conditions-file
    size       TEXT   NOT NULL, -- of an icon made of the file; empty for the file itself
    file_id    TEXT   NOT NULL, -- changes with the content
    media_type TEXT   NOT NULL,
    width      BIGINT NOT NULL, -- in pixels; 0 for a document
    height     BIGINT NOT NULL,
--sqlite:     content    BLOB   NOT NULL,
--postgres:     content    BYTEA  NOT NULL,
    PRIMARY KEY (store_id, name, size)
);

-- Pictures of rows that have one at most.
CREATE TABLE photos (
    store_id   BIGINT NOT NULL,
    owner_kind TEXT   NOT NULL, -- customer, earning_rule or level
    owner_id   TEXT   NOT NULL,
    photo_id   TEXT   NOT NULL, -- changes with the content
    name       TEXT   NOT NULL, -- of the uploaded file
    media_type TEXT   NOT NULL,
--sqlite:     content    BLOB   NOT NULL,
--postgres:     content    BYTEA  NOT NULL,
    PRIMARY KEY (store_id, owner_kind, owner_id)
);

-- Languages of translations, shared by all stores. One row is the default.
CREATE TABLE languages (
    code       TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    is_default BOOLEAN NOT NULL,
    position   BIGINT  NOT NULL, -- order in lists
    content    TEXT    NOT NULL, -- JSON with the texts of web applications
    updated_at BIGINT  NOT NULL
);

-- Numbers that are never reused: store_id of stores, and ids of translations.
CREATE TABLE counters (
    name  TEXT   NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL -- the last number that was taken
);
INSERT INTO counters (name, value) VALUES ('translation', 0), ('store', 0);
