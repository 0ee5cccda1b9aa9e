-- +goose Up

-- Devices on which the sellers of a store may switch by a PIN. A revoked one is deleted.
CREATE TABLE tills (
    store_id    BIGINT NOT NULL,
    till_id     TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    pos_id      TEXT   NOT NULL, -- that of the seller who enrolled it; may be empty
    secret_hash TEXT   NOT NULL, -- SHA-256 of the secret in the cookie, hexadecimal
    enrolled_by TEXT   NOT NULL, -- seller
    enrolled_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, till_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX tills_secret ON tills (store_id, secret_hash);

ALTER TABLE sellers ADD COLUMN pin_hash TEXT NOT NULL DEFAULT '';  -- hash like that of a password; empty for no PIN
ALTER TABLE sellers ADD COLUMN pin_tries BIGINT NOT NULL DEFAULT 0; -- since the last log-in, by password or PIN
CREATE INDEX sellers_pin ON sellers (store_id, first_name_order, last_name_order, seller_id)
    WHERE pin_hash <> '' AND active AND NOT deleted; -- the names on the screen of a till

ALTER TABLE sessions ADD COLUMN till_id TEXT NOT NULL DEFAULT ''; -- on which it began with a PIN
CREATE INDEX sessions_till ON sessions (till_id) WHERE till_id <> '';
