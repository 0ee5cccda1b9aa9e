-- +goose Up

-- What a payment provider is told of a cashback, at most one message each. due_at is set while it waits; a node that
-- takes it for an attempt moves it behind the longest time that the attempt can take.
CREATE TABLE cashback_messages (
    store_id     BIGINT NOT NULL,
    message_id   TEXT   NOT NULL, -- the requestGuid of every attempt
    customer_id  TEXT   NOT NULL,
    coupon_id    TEXT   NOT NULL,
    amount       BIGINT NOT NULL, -- hundredths of a currency unit
    state        TEXT   NOT NULL, -- waiting, sent, failed, settled
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    due_at       BIGINT,          -- of the next attempt
    attempted_at BIGINT,          -- the last attempt, with its outcome:
    status       BIGINT NOT NULL, -- of the answer; 0 when there was none
    error        TEXT   NOT NULL,
    PRIMARY KEY (store_id, message_id)
) WITHOUT ROWID;
CREATE INDEX cashback_messages_due ON cashback_messages (store_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX cashback_messages_coupon ON cashback_messages (store_id, coupon_id);
CREATE INDEX cashback_messages_state ON cashback_messages (store_id, state, message_id);
CREATE INDEX cashback_messages_failed ON cashback_messages (store_id) WHERE state = 'failed';
--postgres: ALTER TABLE cashback_messages SET (fillfactor = 50);
