-- +goose Up

-- Messages that a store writes to many customers.
CREATE TABLE mailings (
    store_id    BIGINT NOT NULL,
    mailing_id  TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    state       TEXT   NOT NULL, -- draft, scheduled, running, paused, finished, stopped
    content     TEXT   NOT NULL, -- JSON: channels, audience, texts and the target of the link
    send_at     BIGINT,          -- when a scheduled one begins
    part        BIGINT NOT NULL, -- of the audience that is visited now
    after_id    TEXT   NOT NULL, -- the last customer of it who was visited
    visited     BIGINT NOT NULL, -- customers so far
    recipients  BIGINT NOT NULL, -- those for whom a message was queued
    clicked     BIGINT NOT NULL, -- those who followed the link
    results     TEXT   NOT NULL, -- JSON: messages by channel and state, once they are settled
    settled     BOOLEAN NOT NULL, -- results are final
    created_by  TEXT   NOT NULL, -- JSON: id and name
    created_at  BIGINT NOT NULL,
    started_at  BIGINT,
    finished_at BIGINT,
    PRIMARY KEY (store_id, mailing_id)
) WITHOUT ROWID;
CREATE INDEX mailings_open ON mailings (store_id, state) WHERE state IN ('scheduled', 'running'); -- the job

-- Who got which mailing: nobody gets one twice.
CREATE TABLE mailing_recipients (
    store_id    BIGINT NOT NULL,
    mailing_id  TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    token       TEXT   NOT NULL, -- of the link
    clicked_at  BIGINT,
    PRIMARY KEY (store_id, mailing_id, customer_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX mailing_recipients_token ON mailing_recipients (store_id, token);
CREATE INDEX mailing_recipients_customer ON mailing_recipients (store_id, customer_id); -- anonymization

-- The mailing that a message belongs to.
ALTER TABLE messages ADD COLUMN mailing_id TEXT NOT NULL DEFAULT '';
CREATE INDEX messages_mailing ON messages (store_id, mailing_id, queue, state) WHERE mailing_id <> '';
