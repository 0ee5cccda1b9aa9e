-- +goose Up

-- The events of one store, in order. On SQLite each entry ends with the id, which is the row id.
--sqlite: CREATE INDEX events_of_store ON events (store_id);
--postgres: CREATE INDEX events_of_store ON events (store_id, id);
