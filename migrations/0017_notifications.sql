-- +goose Up

-- Customers for whom more campaigns may be meant than a moment ago: they registered, became active, or entered a level
-- or a segment. What tells them of campaigns takes them out.
CREATE TABLE customer_arrivals (
    store_id    BIGINT NOT NULL,
    arrival_id  TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, arrival_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE customer_arrivals SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- How far the customers have been told of a campaign since it became available.
CREATE TABLE announcements (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    state       TEXT   NOT NULL, -- running, finished, closed
    basis       TEXT   NOT NULL, -- version of the campaign, and generations of its segments
    after_id    TEXT   NOT NULL, -- the last customer who was looked at
    total       BIGINT NOT NULL, -- customers the campaign was meant for when it began
    done        BIGINT NOT NULL, -- of them, those who were looked at
    told        BIGINT NOT NULL, -- customers who were ever told
    started_at  BIGINT NOT NULL,
    finished_at BIGINT,          -- when all had been looked at, or the campaign was closed
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
CREATE INDEX announcements_state ON announcements (store_id, state);
--postgres: ALTER TABLE announcements SET (fillfactor = 50);

-- Who was told of which campaign: nobody is told twice, also when the notification is long gone.
CREATE TABLE announced (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, campaign_id, customer_id)
) WITHOUT ROWID;

-- What customers were told. The ids grow with time.
CREATE TABLE notifications (
    store_id        BIGINT NOT NULL,
    customer_id     TEXT   NOT NULL,
    notification_id TEXT   NOT NULL,
    kind            TEXT   NOT NULL, -- campaign, coupon_ending, points_ending, level_ending
    subject_id      TEXT   NOT NULL, -- the campaign, coupon or level; empty for points
    details         TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    read_at         BIGINT,
    PRIMARY KEY (store_id, customer_id, notification_id)
) WITHOUT ROWID;
CREATE INDEX notifications_created ON notifications (store_id, created_at);

-- How many notifications a customer has.
CREATE TABLE inboxes (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    total       BIGINT NOT NULL,
    unread      BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE inboxes SET (fillfactor = 70);

-- The last day whose endings customers were told of, and how far those of the next day are.
CREATE TABLE ending_notices (
    store_id BIGINT NOT NULL,
    kind     TEXT   NOT NULL,
    through  TEXT   NOT NULL, -- YYYY-MM-DD in the time zone of the store
    after_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, kind)
) WITHOUT ROWID;

-- Where a store's notifications are sent to as well.
CREATE TABLE notification_gateways (
    store_id BIGINT  NOT NULL,
    url      TEXT    NOT NULL,
    secret   TEXT    NOT NULL,
    active   BOOLEAN NOT NULL,
    PRIMARY KEY (store_id)
) WITHOUT ROWID;

-- Some notifications in one call of the gateway.
CREATE TABLE notification_pushes (
    store_id     BIGINT NOT NULL,
    push_id      TEXT   NOT NULL,
    items        TEXT   NOT NULL, -- the keys of the notifications; emptied when it is finished
    size         BIGINT NOT NULL,
    state        TEXT   NOT NULL, -- pending, delivered, dead
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    due_at       BIGINT,          -- of the next attempt, while pending
    attempted_at BIGINT,          -- the last attempt, with its outcome:
    status       BIGINT NOT NULL, -- of the answer; 0 when there was none
    error        TEXT   NOT NULL,
    finished_at  BIGINT,
    PRIMARY KEY (store_id, push_id)
) WITHOUT ROWID;
CREATE INDEX notification_pushes_due ON notification_pushes (store_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notification_pushes_state ON notification_pushes (store_id, state, push_id);
CREATE INDEX notification_pushes_finished ON notification_pushes (store_id, finished_at) WHERE finished_at IS NOT NULL;
