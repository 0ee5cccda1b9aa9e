-- +goose Up

-- The key pair by which push services recognize this installation. Browsers subscribe with its public part, so that it
-- never changes.
CREATE TABLE web_push_keys (
    key_id      BIGINT NOT NULL, -- 1: there is one row
    private_key TEXT   NOT NULL, -- P-256, base64url
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (key_id)
) WITHOUT ROWID;

-- Browsers of customers that get push messages. A browser belongs to one customer of the store.
CREATE TABLE push_subscriptions (
    store_id        BIGINT NOT NULL,
    subscription_id TEXT   NOT NULL, -- SHA-256 of the endpoint, hexadecimal
    customer_id     TEXT   NOT NULL,
    endpoint        TEXT   NOT NULL, -- URL at the push service, which is a secret
    p256dh          TEXT   NOT NULL, -- public key of the browser, base64url
    auth            TEXT   NOT NULL, -- secret of the browser, base64url
    subscribed_at   BIGINT NOT NULL,
    PRIMARY KEY (store_id, subscription_id)
) WITHOUT ROWID;
CREATE INDEX push_subscriptions_of ON push_subscriptions (store_id, customer_id, subscribed_at);
