-- +goose Up

-- One document for each object that can be searched for. Words are folded, and each follows a space. The full-text index
-- prefixes them with the store and the kind (7customer_anna), so that a search reads only words of its own store.
-- "punchcard reindex" rebuilds all of this from the objects.
CREATE TABLE search_documents (
--sqlite:     number    INTEGER PRIMARY KEY, -- rowid in search_words
    store_id  BIGINT NOT NULL,
    kind      TEXT   NOT NULL, -- customer, campaign
    object_id TEXT   NOT NULL,
    name      TEXT   NOT NULL, -- words of the object's name, which rank first
    words     TEXT   NOT NULL, -- the other words
--postgres:     tokens    TSVECTOR NOT NULL GENERATED ALWAYS AS (CAST(
--postgres:         replace(name || words, ' ', ' ' || CAST(store_id AS VARCHAR) || kind || '_') AS TSVECTOR)) STORED,
--postgres:     PRIMARY KEY (store_id, kind, object_id)
--sqlite:     UNIQUE (store_id, kind, object_id)
);
-- With fastupdate, some writes would have to index the words of many earlier ones.
--postgres: CREATE INDEX search_documents_tokens ON search_documents USING gin (tokens) WITH (fastupdate = off);
--sqlite: CREATE VIRTUAL TABLE search_words USING fts5(
--sqlite:     tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'");
