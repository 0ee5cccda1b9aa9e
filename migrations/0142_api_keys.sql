-- +goose Up

-- Keys by which programs call the API with some of the rights of the administrator who made them.
CREATE TABLE api_keys (
    key_id              TEXT   NOT NULL PRIMARY KEY,
    maker_id            TEXT   NOT NULL REFERENCES administrators (admin_id),
    name                TEXT   NOT NULL,
    name_order          TEXT   NOT NULL, -- without case and accents: the order of lists
    beginning           TEXT   NOT NULL, -- first characters of the secret, which are shown
    secret_hash         TEXT   NOT NULL UNIQUE, -- SHA-256, hexadecimal
    former_hash         TEXT   NOT NULL, -- of the secret before the last rotation; empty for none
    former_until        BIGINT,          -- when that secret expires
    rotations           BIGINT NOT NULL,
    permissions         TEXT   NOT NULL, -- JSON: accesses by resource
    stores              TEXT   NOT NULL, -- JSON: keys of the stores that it opens; empty for all
    addresses           TEXT   NOT NULL, -- JSON: networks from which it may be used; empty for all
    requests_per_minute BIGINT NOT NULL, -- 0 for no limit
    created_at          BIGINT NOT NULL,
    expires_at          BIGINT,          -- NULL for never
    last_used_at        BIGINT,          -- to the minute
    last_used_from      TEXT   NOT NULL  -- address
);
CREATE UNIQUE INDEX api_keys_former ON api_keys (former_hash) WHERE former_hash <> '';
CREATE INDEX api_keys_maker ON api_keys (maker_id, key_id); -- the keys of an administrator
