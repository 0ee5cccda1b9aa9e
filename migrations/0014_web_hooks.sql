-- +goose Up

-- Where a store's events are sent to.
CREATE TABLE webhook_subscriptions (
    store_id         BIGINT  NOT NULL,
    subscription_id  TEXT    NOT NULL,
    url              TEXT    NOT NULL,
    description      TEXT    NOT NULL,
    event_names      TEXT    NOT NULL, -- types, or their beginnings with a star
    headers          TEXT    NOT NULL,
    active           BOOLEAN NOT NULL,
    deleted          BOOLEAN NOT NULL, -- stays until its deliveries are removed
    disabled_reason  TEXT    NOT NULL, -- why it was switched off by itself
    failing_since    BIGINT,           -- first failure after the last success
    signed           BOOLEAN NOT NULL,
    secret           TEXT    NOT NULL,
    old_secret       TEXT    NOT NULL, -- signs too until old_secret_until
    old_secret_until BIGINT,
    position         BIGINT  NOT NULL, -- id of the last event that was looked at
    created_at       BIGINT  NOT NULL,
    PRIMARY KEY (store_id, subscription_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE webhook_subscriptions SET (fillfactor = 50);

-- One event for one subscription. What waits has neither due_at nor finished_at: an earlier event of the same
-- aggregate has to be finished first.
CREATE TABLE webhook_deliveries (
    store_id        BIGINT NOT NULL,
    subscription_id TEXT   NOT NULL,
    event_id        BIGINT NOT NULL,
    aggregate_id    TEXT   NOT NULL,
    type            TEXT   NOT NULL,
    state           TEXT   NOT NULL, -- waiting, pending, delivered, dead
    attempts        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    due_at          BIGINT,          -- of the next attempt, while pending
    attempted_at    BIGINT,          -- the last attempt, with its outcome:
    status          BIGINT NOT NULL, -- of the answer; 0 when there was none
    error           TEXT   NOT NULL,
    finished_at     BIGINT,          -- when delivered or dead
    PRIMARY KEY (store_id, subscription_id, event_id)
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (store_id, subscription_id, due_at)
    WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (store_id, subscription_id, aggregate_id, event_id)
    WHERE finished_at IS NULL;
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (store_id, subscription_id, state, event_id);
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
--postgres: ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02);
