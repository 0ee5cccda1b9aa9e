-- +goose Up

-- Codes of an authenticator app (TOTP), one secret for each account. A secret without confirmed_at is not in use yet.
CREATE TABLE factor_totps (
    store_id     BIGINT NOT NULL, -- 0 for administrators
    user_id      TEXT   NOT NULL,
    role         TEXT   NOT NULL,
    secret       TEXT   NOT NULL, -- base32; read to check codes, so it is not hashed
    last_step    BIGINT NOT NULL, -- time step of the last code that was used: no code counts twice
    created_at   BIGINT NOT NULL,
    confirmed_at BIGINT,
    PRIMARY KEY (store_id, user_id)
) WITHOUT ROWID;

-- Recovery codes that are left. A used one is deleted.
CREATE TABLE factor_recovery_codes (
    store_id  BIGINT NOT NULL,
    user_id   TEXT   NOT NULL,
    code_hash TEXT   NOT NULL, -- SHA-256 of the user and the code, hexadecimal
    PRIMARY KEY (store_id, user_id, code_hash)
) WITHOUT ROWID;

CREATE TABLE factor_passkeys (
    store_id        BIGINT  NOT NULL, -- 0 for administrators
    user_id         TEXT    NOT NULL,
    passkey_id      TEXT    NOT NULL,
    role            TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    credential_id   TEXT    NOT NULL UNIQUE, -- base64url
    rp_id           TEXT    NOT NULL, -- host name for which the passkey was made
    public_key      TEXT    NOT NULL, -- COSE, base64url
    sign_count      BIGINT  NOT NULL,
    backup_eligible BOOLEAN NOT NULL,
    created_at      BIGINT  NOT NULL,
    last_used_at    BIGINT,
    PRIMARY KEY (store_id, user_id, passkey_id)
) WITHOUT ROWID;

-- What was sent to a client for one answer: challenges of passkeys, and tokens of log-ins that wait for a factor.
CREATE TABLE factor_challenges (
    challenge_hash TEXT   NOT NULL PRIMARY KEY, -- SHA-256, hexadecimal
    purpose        TEXT   NOT NULL, -- login, passkey, use, add
    role           TEXT   NOT NULL, -- empty while it is not known who logs in
    store_id       BIGINT NOT NULL,
    user_id        TEXT   NOT NULL,
    password_sum   TEXT   NOT NULL, -- of a log-in: hash of the password hash that was checked
    attempts       BIGINT NOT NULL, -- of a log-in
    expires_at     BIGINT NOT NULL
);
CREATE INDEX factor_challenges_user ON factor_challenges (store_id, user_id);
CREATE INDEX factor_challenges_expiry ON factor_challenges (expires_at); -- the job that deletes them

-- Who needs a second factor: administrators of a role (store 0), or the sellers of a store (role 0).
CREATE TABLE factor_rules (
    store_id   BIGINT NOT NULL,
    role_id    BIGINT NOT NULL,
    grace_days BIGINT NOT NULL, -- from since, or from the creation of the account if that is later
    since      BIGINT NOT NULL,
    PRIMARY KEY (store_id, role_id)
) WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN browser BOOLEAN NOT NULL DEFAULT FALSE; -- a web app keeps it in a cookie
ALTER TABLE sessions ADD COLUMN factor_at BIGINT;                       -- when a second factor was used last
