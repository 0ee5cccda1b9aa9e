-- +goose Up

-- Secrets that were sent in messages: tokens in links and six-digit codes. A client that has one reads the messages to
-- the contact. Used ones stay until they expire, so that a second use has an error of its own.
CREATE TABLE verification_tokens (
    token_hash   TEXT    NOT NULL PRIMARY KEY, -- SHA-256, hexadecimal
    purpose      TEXT    NOT NULL, -- activation, reset, contact
    role         TEXT    NOT NULL,
    store_id     BIGINT  NOT NULL, -- 0 for administrators
    user_id      TEXT    NOT NULL,
    contact_hash TEXT    NOT NULL, -- of the user and the address that it was sent to
    is_code      BOOLEAN NOT NULL,
    attempts     BIGINT  NOT NULL, -- at codes of the user, while this one was valid
    expires_at   BIGINT  NOT NULL,
    used_at      BIGINT
);
CREATE INDEX verification_tokens_user ON verification_tokens (user_id, purpose, is_code, expires_at); -- of a user, oldest first
CREATE INDEX verification_tokens_expiry ON verification_tokens (expires_at);                          -- the job that deletes them

-- How often somebody asked for messages with a secret in the last hour, also by names that nobody has.
CREATE TABLE verification_requests (
    request_hash TEXT   NOT NULL PRIMARY KEY, -- SHA-256 of the purpose and the account or the name, hexadecimal
    sent         BIGINT NOT NULL,
    began_at     BIGINT NOT NULL              -- when the count began
);
CREATE INDEX verification_requests_age ON verification_requests (began_at); -- the job that deletes them

-- New e-mail addresses and phones that wait for their owner's confirmation.
CREATE TABLE contact_changes (
    store_id     BIGINT NOT NULL,
    customer_id  TEXT   NOT NULL,
    field        TEXT   NOT NULL, -- email, phone
    value        TEXT   NOT NULL,
    requested_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, field)
) WITHOUT ROWID;
CREATE INDEX contact_changes_age ON contact_changes (requested_at); -- the job that deletes them

-- What staff changed about how a customer signs in, and passwords that a link set.
CREATE TABLE access_changes (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    field       TEXT   NOT NULL, -- email, phone, password
    former      TEXT   NOT NULL, -- contact; empty for none
    changed_at  BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, field, former)
) WITHOUT ROWID;
CREATE INDEX access_changes_age ON access_changes (changed_at); -- the job that deletes them
