-- +goose Up

-- Subscriptions to the events of a store.
CREATE TABLE webhook_subscriptions (
    store_id         BIGINT  NOT NULL,
    subscription_id  TEXT    NOT NULL,
    url              TEXT    NOT NULL,
    description      TEXT    NOT NULL,
    event_names      TEXT    NOT NULL, -- JSON: event types or short names, or prefixes that end with a star
    headers          TEXT    NOT NULL, -- JSON
    active           BOOLEAN NOT NULL,
    deleted          BOOLEAN NOT NULL, -- the row stays until its deliveries are deleted
    disabled_reason  TEXT    NOT NULL, -- why the server deactivated it
    failing_since    BIGINT,           -- time of the first failure after the last success
    signed           BOOLEAN NOT NULL,
    secret           TEXT    NOT NULL,
    old_secret       TEXT    NOT NULL, -- signs as well, until old_secret_until
    old_secret_until BIGINT,
    position         BIGINT  NOT NULL, -- id of the last event for which deliveries were created
    created_at       BIGINT  NOT NULL,
    managed          BOOLEAN NOT NULL, -- by the settings of the store; at most one
    PRIMARY KEY (store_id, subscription_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE webhook_subscriptions SET (fillfactor = 50);

-- Deliveries of one event to one subscription. A waiting delivery has neither due_at nor finished_at, because an earlier
-- event of the same aggregate is not finished.
CREATE TABLE webhook_deliveries (
    store_id        BIGINT NOT NULL,
    subscription_id TEXT   NOT NULL,
    event_id        BIGINT NOT NULL,
    aggregate_id    TEXT   NOT NULL,
    type            TEXT   NOT NULL,
    state           TEXT   NOT NULL, -- waiting, pending, delivered, dead
    attempts        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    due_at          BIGINT,          -- time of the next attempt, while pending
    attempted_at    BIGINT,          -- the last attempt, with its outcome:
    status          BIGINT NOT NULL, -- of the response; 0 if there was none
    error           TEXT   NOT NULL,
    finished_at     BIGINT,
    PRIMARY KEY (store_id, subscription_id, event_id)
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (store_id, subscription_id, due_at)
    WHERE due_at IS NOT NULL;
-- Unfinished deliveries of an aggregate, in order.
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (store_id, subscription_id, aggregate_id, event_id)
    WHERE finished_at IS NULL;
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (store_id, subscription_id, state, event_id); -- lists
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL; -- retention
--postgres: ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02);
