-- +goose Up

-- Views of the list of customers that administrators save for themselves, or for all administrators of the store.
CREATE TABLE customer_views (
    store_id   BIGINT  NOT NULL,
    view_id    TEXT    NOT NULL,
    owner_id   TEXT    NOT NULL, -- the administrator; empty for the master key
    owner_name TEXT    NOT NULL,
    shared     BOOLEAN NOT NULL,
    name       TEXT    NOT NULL,
    query      TEXT    NOT NULL, -- JSON: filters, sort, direction
    created_at BIGINT  NOT NULL,
    PRIMARY KEY (store_id, view_id)
) WITHOUT ROWID;
CREATE INDEX customer_views_owner ON customer_views (store_id, owner_id);
CREATE INDEX customer_views_shared ON customer_views (store_id, shared) WHERE shared;
