-- +goose Up

-- Messages to people by e-mail, SMS or push.
CREATE TABLE messages (
    store_id     BIGINT NOT NULL,
    queue        TEXT   NOT NULL, -- email, sms or push; with _marketing for marketing messages
    message_id   TEXT   NOT NULL,
    event        TEXT   NOT NULL, -- what the message reports
    role         TEXT   NOT NULL, -- of the recipient
    recipient_id TEXT   NOT NULL, -- empty for somebody without an account
    address      TEXT   NOT NULL, -- e-mail address, phone, or id of the customer
    language     TEXT   NOT NULL, -- wanted; empty for the default
    details      TEXT   NOT NULL, -- JSON: values of placeholders; cleared when sent
    subject      TEXT   NOT NULL, -- as sent last, without secrets
    content      TEXT   NOT NULL, -- as sent last; kept by a demonstration only
    state        TEXT   NOT NULL, -- waiting, sent, dropped, dead
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    due_at       BIGINT,          -- time of the next attempt, while waiting
    attempted_at BIGINT,          -- the last attempt, with its outcome:
    status       BIGINT NOT NULL, -- of the response; 0 if there was none
    error        TEXT   NOT NULL,
    finished_at  BIGINT,
    PRIMARY KEY (store_id, queue, message_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX messages_id ON messages (store_id, message_id);                                -- lists
CREATE INDEX messages_recipient ON messages (store_id, recipient_id, message_id);                  -- of one customer
CREATE INDEX messages_stranger ON messages (store_id, address) WHERE recipient_id = '';             -- anonymization
CREATE INDEX messages_state ON messages (store_id, state, message_id);                             -- lists
CREATE INDEX messages_event ON messages (store_id, event, message_id);                             -- lists
CREATE INDEX messages_stores_due ON messages (store_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX messages_due ON messages (store_id, queue, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX messages_finished ON messages (finished_at) WHERE finished_at IS NOT NULL;            -- retention
--postgres: ALTER TABLE messages SET (autovacuum_vacuum_scale_factor = 0.02);

-- How the messages of a store are sent. A store without a row uses the mail server of the operator.
CREATE TABLE message_settings (
    store_id        BIGINT NOT NULL,
    email           TEXT   NOT NULL, -- JSON
    sms             TEXT   NOT NULL, -- JSON
    push            TEXT   NOT NULL, -- JSON
    unsubscribe_key TEXT   NOT NULL, -- signs links that end marketing messages
    PRIMARY KEY (store_id)
) WITHOUT ROWID;

-- Addresses that a mail server or a gateway refused for good.
CREATE TABLE undeliverable_addresses (
    store_id BIGINT NOT NULL,
    channel  TEXT   NOT NULL,
    address  TEXT   NOT NULL,
    reason   TEXT   NOT NULL,
    since    BIGINT NOT NULL,
    PRIMARY KEY (store_id, channel, address)
) WITHOUT ROWID;

-- How many messages were sent to an address within an hour. The row without an address counts all of the store, and one
-- that begins with "day " those to an unconfirmed address within a day, until its last hour.
CREATE TABLE message_hours (
    store_id BIGINT NOT NULL,
    address  TEXT   NOT NULL,
    hour     BIGINT NOT NULL, -- hours since 1970
    sent     BIGINT NOT NULL,
    PRIMARY KEY (store_id, address)
) WITHOUT ROWID;
CREATE INDEX message_hours_hour ON message_hours (hour); -- removal of past hours
--postgres: ALTER TABLE message_hours SET (fillfactor = 70);

-- Texts of messages that a store wrote instead of the built-in ones, or with which it switched those on or off.
CREATE TABLE message_templates (
    store_id   BIGINT  NOT NULL,
    event      TEXT    NOT NULL,
    channel    TEXT    NOT NULL, -- email, sms, push, inbox
    language   TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    content    TEXT    NOT NULL, -- empty for the built-in text
    enabled    BOOLEAN NOT NULL,
    changed_at BIGINT  NOT NULL,
    PRIMARY KEY (store_id, event, channel, language)
) WITHOUT ROWID;

-- When a customer last got a message on an occasion, such as their birthday.
CREATE TABLE occasion_messages (
    store_id    BIGINT NOT NULL,
    event       TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    day         BIGINT NOT NULL, -- since 1970-01-01
    PRIMARY KEY (store_id, event, customer_id)
) WITHOUT ROWID;

-- Progress of the job that sends messages on occasions.
CREATE TABLE occasion_progress (
    store_id  BIGINT NOT NULL,
    event     TEXT   NOT NULL,
    through   TEXT   NOT NULL, -- the last day that is complete, YYYY-MM-DD in the time zone of the store
    after_key TEXT   NOT NULL, -- of the last customer who was visited for the next day
    PRIMARY KEY (store_id, event)
) WITHOUT ROWID;
