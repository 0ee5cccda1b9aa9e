-- +goose Up

-- Providers of OpenID Connect of one store. Those of the installation stay in sso_providers, where nodes of the release
-- before look for what gives rights in all stores.
CREATE TABLE sso_store_providers (
    store_id      BIGINT  NOT NULL,
    provider_id   TEXT    NOT NULL,
    name          TEXT    NOT NULL, -- on the button of the sign-in page
    issuer        TEXT    NOT NULL,
    client_id     TEXT    NOT NULL,
    client_secret TEXT    NOT NULL,
    scopes        TEXT    NOT NULL, -- JSON
    group_claim   TEXT    NOT NULL, -- member of the ID token that lists the groups of a user
    grants        TEXT    NOT NULL, -- JSON: roles in the store by group, the first match counts
    seller_grants TEXT    NOT NULL, -- JSON: groups of sellers with their points of sale, the first match counts
    enabled       BOOLEAN NOT NULL,
    created_at    BIGINT  NOT NULL,
    PRIMARY KEY (store_id, provider_id)
) WITHOUT ROWID;

-- Roles in stores by group, of a provider of the installation.
ALTER TABLE sso_providers ADD COLUMN store_grants TEXT NOT NULL DEFAULT '[]'; -- JSON

-- Users of the providers of a store, and the administrators or sellers that they are.
CREATE TABLE sso_store_identities (
    store_id     BIGINT NOT NULL,
    role         TEXT   NOT NULL, -- ROLE_ADMIN or ROLE_SELLER
    issuer       TEXT   NOT NULL,
    subject      TEXT   NOT NULL,
    identity_id  TEXT   NOT NULL,
    user_id      TEXT   NOT NULL,
    linked_at    BIGINT NOT NULL,
    last_used_at BIGINT, -- NULL if linked and not used yet
    PRIMARY KEY (store_id, role, issuer, subject)
) WITHOUT ROWID;
CREATE INDEX sso_store_identities_user ON sso_store_identities (store_id, user_id); -- the identities of a user

ALTER TABLE sso_attempts ADD COLUMN store_id BIGINT NOT NULL DEFAULT 0; -- of the provider; 0 for the installation
ALTER TABLE sso_attempts ADD COLUMN role TEXT NOT NULL DEFAULT 'ROLE_ADMIN'; -- of who signs in or links

-- Which sellers of a store may sign in with a password. Without the row, everybody may.
CREATE TABLE sso_store_password_login (
    store_id BIGINT NOT NULL PRIMARY KEY,
    allowed  TEXT   NOT NULL -- everybody, unlinked, nobody
);

-- The store whose provider made the account. It has rights there alone. 0 for the others.
ALTER TABLE administrators ADD COLUMN only_store BIGINT NOT NULL DEFAULT 0;
