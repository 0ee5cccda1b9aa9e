-- +goose Up

-- What can be searched for: one document for each object. Words are folded, and each follows a space.
-- The full-text index holds them behind the store and the kind (7customer_anna), so that a search meets
-- only the words of its own store. All of this can be rebuilt from the objects.
CREATE TABLE search_documents (
--sqlite:     number    INTEGER PRIMARY KEY, -- rowid in search_words
    store_id  BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    object_id TEXT   NOT NULL,
    name      TEXT   NOT NULL, -- words of the object's name: they rank first
    words     TEXT   NOT NULL, -- the other words
--postgres:     tokens    TSVECTOR NOT NULL GENERATED ALWAYS AS (CAST(
--postgres:         replace(name || words, ' ', ' ' || CAST(store_id AS VARCHAR) || kind || '_') AS TSVECTOR)) STORED,
--postgres:     PRIMARY KEY (store_id, kind, object_id)
--sqlite:     UNIQUE (store_id, kind, object_id)
);
-- Without fastupdate no write has to index what earlier ones left waiting.
--postgres: CREATE INDEX search_documents_tokens ON search_documents USING gin (tokens) WITH (fastupdate = off);
--sqlite: CREATE VIRTUAL TABLE search_words USING fts5(
--sqlite:     tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'");
