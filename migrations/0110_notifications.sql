-- +goose Up

-- Customers for whom more campaigns may be available: they registered, became active, or entered a level or a segment.
-- The job that notifies customers of campaigns deletes the rows.
CREATE TABLE customer_arrivals (
    store_id    BIGINT NOT NULL,
    arrival_id  TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    from_level  TEXT   NOT NULL DEFAULT '', -- left by itself, not by hand
    quiet       BOOLEAN NOT NULL, -- what is on offer already is no news, as for newcomers
    PRIMARY KEY (store_id, arrival_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE customer_arrivals SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Progress of notifying all customers of a campaign that became available.
CREATE TABLE announcements (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    state       TEXT   NOT NULL, -- running, finished, closed
    basis       TEXT   NOT NULL, -- version of the campaign, and generations of its segments
    after_id    TEXT   NOT NULL, -- the last customer who was visited
    total       BIGINT NOT NULL, -- customers that the campaign targeted when the announcement started
    done        BIGINT NOT NULL, -- those of them who were visited
    notified    BIGINT NOT NULL, -- customers who were ever notified of the campaign
    started_at  BIGINT NOT NULL,
    finished_at BIGINT,          -- when all were visited, or the campaign was closed
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
CREATE INDEX announcements_state ON announcements (store_id, state); -- announcements to continue
--postgres: ALTER TABLE announcements SET (fillfactor = 50);

-- Who was or need not be notified of which campaign. The rows stay after the notification is deleted, so that it is not
-- repeated.
CREATE TABLE announced (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    notified    BOOLEAN NOT NULL, -- false if the campaign was on offer already when the customer came
    PRIMARY KEY (store_id, campaign_id, customer_id)
) WITHOUT ROWID;

-- Notifications of customers.
CREATE TABLE notifications (
    store_id        BIGINT NOT NULL,
    customer_id     TEXT   NOT NULL,
    notification_id TEXT   NOT NULL,
    kind            TEXT   NOT NULL, -- welcome, campaign, coupon_ending, points_ending, level_ending
    subject_id      TEXT   NOT NULL, -- the campaign, coupon or level; empty for points
    details         TEXT   NOT NULL, -- JSON
    created_at      BIGINT NOT NULL,
    read_at         BIGINT,
    PRIMARY KEY (store_id, customer_id, notification_id)
) WITHOUT ROWID;
CREATE INDEX notifications_created ON notifications (store_id, created_at); -- the job that deletes old notifications

-- Number of notifications of a customer.
CREATE TABLE inboxes (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    total       BIGINT NOT NULL,
    unread      BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE inboxes SET (fillfactor = 70);

-- Progress of notifying customers of coupons, points and levels that end soon.
CREATE TABLE ending_notices (
    store_id BIGINT NOT NULL,
    kind     TEXT   NOT NULL,
    through  TEXT   NOT NULL, -- the last day that is complete, YYYY-MM-DD in the time zone of the store
    after_id TEXT   NOT NULL, -- the last customer who was visited for the next day
    PRIMARY KEY (store_id, kind)
) WITHOUT ROWID;

-- HTTP gateways that receive the notifications of a store.
CREATE TABLE notification_gateways (
    store_id BIGINT  NOT NULL,
    url      TEXT    NOT NULL,
    secret   TEXT    NOT NULL,
    active   BOOLEAN NOT NULL,
    PRIMARY KEY (store_id)
) WITHOUT ROWID;

-- Batches of notifications, each for one call of the gateway.
CREATE TABLE notification_pushes (
    store_id     BIGINT NOT NULL,
    push_id      TEXT   NOT NULL,
    items        TEXT   NOT NULL, -- JSON: keys of the notifications; cleared when finished
    size         BIGINT NOT NULL, -- number of notifications
    state        TEXT   NOT NULL, -- pending, delivered, dead
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    due_at       BIGINT,          -- time of the next attempt, while pending
    attempted_at BIGINT,          -- the last attempt, with its outcome:
    status       BIGINT NOT NULL, -- of the response; 0 if there was none
    error        TEXT   NOT NULL,
    finished_at  BIGINT,
    PRIMARY KEY (store_id, push_id)
) WITHOUT ROWID;
CREATE INDEX notification_pushes_due ON notification_pushes (store_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notification_pushes_state ON notification_pushes (store_id, state, push_id); -- lists
CREATE INDEX notification_pushes_finished ON notification_pushes (store_id, finished_at) WHERE finished_at IS NOT NULL;
