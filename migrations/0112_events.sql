-- +goose Up

-- Events of all stores. Ids have no gaps, and ascend in the order in which readers see the events. On SQLite the id is
-- the rowid: appending to such a table changes about half as many pages as appending to one WITHOUT ROWID.
CREATE TABLE events (
--postgres:     id BIGINT NOT NULL PRIMARY KEY,
--sqlite:     id INTEGER PRIMARY KEY,
    store_id     BIGINT NOT NULL,
    aggregate_id TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    recorded_at  BIGINT NOT NULL,
    payload      TEXT   NOT NULL, -- JSON
    traced       BOOLEAN NOT NULL DEFAULT FALSE -- is in the index events_about
);
-- Events of an aggregate, such as a customer. Very frequent events are not traced: purchases, and transfers of points
-- that the program makes. The tables of purchases and transfers have the same data.
CREATE INDEX events_about ON events (store_id, aggregate_id, id) WHERE traced = TRUE;

-- The outbox of PostgreSQL: committed events that have no number yet, because transactions commit concurrently. A row
-- holds the events that were appended together, an element of each array for each event; PostgreSQL compresses long
-- arrays. Each row is inserted and deleted once, so autovacuum must clean up soon. SQLite never uses this table.
CREATE TABLE event_queue (
    queue_id    BIGINT NOT NULL PRIMARY KEY,
    store_id    BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
--postgres:     aggregate_ids TEXT[] NOT NULL,
--postgres:     types TEXT[] NOT NULL,
--postgres:     payloads TEXT[] NOT NULL,
--postgres:     traced BOOLEAN[] NOT NULL,
    size        BIGINT NOT NULL -- number of events
) WITHOUT ROWID;
--postgres: CREATE SEQUENCE event_queue_ids OWNED BY event_queue.queue_id;
--postgres: ALTER TABLE event_queue ALTER COLUMN queue_id SET DEFAULT nextval('event_queue_ids');
--postgres: ALTER TABLE event_queue SET (autovacuum_vacuum_scale_factor = 0,
--postgres:     autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Positions of the readers of events. The lock of the row "numbering" serializes the numbering of events.
CREATE TABLE event_cursors (
    name    TEXT   NOT NULL PRIMARY KEY,
    last_id BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO event_cursors (name, last_id) VALUES ('numbering', 0), ('relay', 0);
