-- +goose Up

-- Who got which message of a mailing or journey: nobody gets one twice for the same occasion. The frequency cap and the
-- results count these rows.
CREATE TABLE marketing_recipients (
    store_id    BIGINT NOT NULL,
    source_id   TEXT   NOT NULL, -- the mailing or the journey
    customer_id TEXT   NOT NULL,
    occasion    TEXT   NOT NULL, -- of a journey; empty for mailings
    entry_id    TEXT   NOT NULL, -- of a journey; empty for mailings
    token       TEXT   NOT NULL, -- of the link
    sent_at     BIGINT NOT NULL, -- when the message was queued
    clicked_at  BIGINT,
    counted     BOOLEAN NOT NULL DEFAULT FALSE, -- in the final part of marketing_outcomes
    PRIMARY KEY (store_id, source_id, customer_id, occasion)
) WITHOUT ROWID;
INSERT INTO marketing_recipients (store_id, source_id, customer_id, occasion, entry_id, token, sent_at, clicked_at)
    SELECT r.store_id, r.mailing_id, r.customer_id, '', '', r.token, COALESCE(m.started_at, m.created_at), r.clicked_at
    FROM mailing_recipients r JOIN mailings m ON m.store_id = r.store_id AND m.mailing_id = r.mailing_id;
DROP TABLE mailing_recipients;
CREATE UNIQUE INDEX marketing_recipients_token ON marketing_recipients (store_id, token);
CREATE UNIQUE INDEX marketing_recipients_entry ON marketing_recipients (store_id, entry_id) WHERE entry_id <> ''; -- check
CREATE INDEX marketing_recipients_customer ON marketing_recipients (store_id, customer_id, sent_at); -- frequency cap
CREATE INDEX marketing_recipients_uncounted ON marketing_recipients (store_id, source_id, customer_id, occasion)
    WHERE counted = FALSE; -- the job

-- What customers did within some days after a message of a mailing or journey. Rows of recipients whose days are over
-- are added to the final numbers once.
CREATE TABLE marketing_outcomes (
    store_id   BIGINT NOT NULL,
    source_id  TEXT   NOT NULL,
    final      TEXT   NOT NULL, -- JSON: sales, their amount and coupons of recipients whose days are over
    outcome    TEXT   NOT NULL, -- JSON: the same of all recipients
    counted_at BIGINT,
    PRIMARY KEY (store_id, source_id)
) WITHOUT ROWID;

-- Customers whom a mailing left out because they got enough messages lately, and whether its outcome is final.
ALTER TABLE mailings ADD COLUMN capped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE mailings ADD COLUMN outcome_final BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX mailings_outcome ON mailings (store_id, mailing_id) WHERE outcome_final = FALSE AND started_at IS NOT NULL;

-- Messages that customers get by themselves on an occasion, with or without a gift.
CREATE TABLE journeys (
    store_id     BIGINT  NOT NULL,
    journey_id   TEXT    NOT NULL,
    recipe       TEXT    NOT NULL, -- the occasion
    name         TEXT    NOT NULL,
    active       BOOLEAN NOT NULL,
    active_since BIGINT,           -- when it was last turned on
    content      TEXT    NOT NULL, -- JSON: channels, conditions, delay, gift, texts and the target of the link
    first_day    TEXT    NOT NULL, -- the first day that was searched since it was turned on
    through      TEXT    NOT NULL, -- the last day that was searched completely for the occasion, YYYY-MM-DD
    after_key    TEXT    NOT NULL, -- after which the search of the next day continues
    sent         BIGINT  NOT NULL, -- entries with a message
    clicked      BIGINT  NOT NULL, -- those of them whose link was followed
    gifts        BIGINT  NOT NULL, -- those of them with a gift
    skipped      TEXT    NOT NULL, -- JSON: entries without a message, by reason
    results      TEXT    NOT NULL, -- JSON: messages by channel and state, of settled entries
    created_by   TEXT    NOT NULL, -- JSON: id and name
    created_at   BIGINT  NOT NULL,
    PRIMARY KEY (store_id, journey_id)
) WITHOUT ROWID;
CREATE INDEX journeys_recipe ON journeys (store_id, recipe) WHERE active = TRUE; -- what occasions start

-- Customers in a journey, one row for each occasion: the message and the gift happen once.
CREATE TABLE journey_entries (
    store_id    BIGINT  NOT NULL,
    journey_id  TEXT    NOT NULL,
    customer_id TEXT    NOT NULL,
    occasion    TEXT    NOT NULL, -- such as the year of a birthday, or the id of a receipt
    entry_id    TEXT    NOT NULL, -- also stored with its messages
    state       TEXT    NOT NULL, -- waiting, sent, skipped
    reason      TEXT    NOT NULL, -- why it was skipped
    due_at      BIGINT,           -- while waiting
    entered_at  BIGINT  NOT NULL,
    done_at     BIGINT,
    transfer_id TEXT    NOT NULL, -- the points that were given
    coupon_id   TEXT    NOT NULL, -- the coupon that was given
    settle_at   BIGINT,           -- when its messages are looked at, until they are in the results of the journey
    PRIMARY KEY (store_id, journey_id, customer_id, occasion)
) WITHOUT ROWID;
CREATE INDEX journey_entries_due ON journey_entries (store_id, journey_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX journey_entries_settle ON journey_entries (store_id, journey_id, settle_at) WHERE settle_at IS NOT NULL;
CREATE INDEX journey_entries_customer ON journey_entries (store_id, customer_id, entry_id); -- the export of personal data
