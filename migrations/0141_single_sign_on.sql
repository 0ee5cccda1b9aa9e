-- +goose Up

-- Providers of OpenID Connect that administrators sign in with.
CREATE TABLE sso_providers (
    provider_id   TEXT    NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL, -- on the button of the sign-in page
    issuer        TEXT    NOT NULL,
    client_id     TEXT    NOT NULL,
    client_secret TEXT    NOT NULL,
    scopes        TEXT    NOT NULL, -- JSON
    group_claim   TEXT    NOT NULL, -- member of the ID token that lists the groups of a user
    grants        TEXT    NOT NULL, -- JSON: roles by group, the first match counts
    enabled       BOOLEAN NOT NULL,
    created_at    BIGINT  NOT NULL
);

-- Users of providers, and the administrators that they are.
CREATE TABLE sso_identities (
    issuer       TEXT   NOT NULL,
    subject      TEXT   NOT NULL,
    identity_id  TEXT   NOT NULL,
    admin_id     TEXT   NOT NULL REFERENCES administrators (admin_id),
    linked_at    BIGINT NOT NULL,
    last_used_at BIGINT, -- NULL if linked and not used yet
    PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX sso_identities_admin ON sso_identities (admin_id); -- the identities of an administrator

-- Log-ins and links that a browser has begun at a provider. Each ends once.
CREATE TABLE sso_attempts (
    state_hash   TEXT   NOT NULL PRIMARY KEY, -- SHA-256, hexadecimal
    browser_hash TEXT   NOT NULL,             -- of the cookie of the browser
    provider_id  TEXT   NOT NULL,
    admin_id     TEXT   NOT NULL,             -- who links an identity; empty for a log-in
    expires_at   BIGINT NOT NULL
);
CREATE INDEX sso_attempts_expiry ON sso_attempts (expires_at); -- the job that deletes expired attempts

-- Logout tokens that were used, until they expire.
CREATE TABLE sso_logouts (
    provider_id TEXT   NOT NULL,
    token_hash  TEXT   NOT NULL, -- of the id of the token: SHA-256, hexadecimal
    expires_at  BIGINT NOT NULL,
    PRIMARY KEY (provider_id, token_hash)
) WITHOUT ROWID;
CREATE INDEX sso_logouts_expiry ON sso_logouts (expires_at); -- the job that deletes expired tokens

-- Which administrators may sign in with a password, in its only row. Without the row, everybody may.
CREATE TABLE sso_password_login (
    id      BIGINT NOT NULL PRIMARY KEY,
    allowed TEXT   NOT NULL -- everybody, unlinked, nobody
);

-- The provider that identified the user of a session, and the id of the session there, for its log-out.
ALTER TABLE sessions ADD COLUMN provider_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN provider_session TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_provider ON sessions (provider_id, provider_session) WHERE provider_session <> '';
