-- +goose Up

-- Roles of administrators. One row is the default.
CREATE TABLE roles (
    role_id     BIGINT  NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE,
    name_order  TEXT    NOT NULL DEFAULT '', -- without case and accents: the order of lists
    master      BOOLEAN NOT NULL, -- has all permissions
    is_default  BOOLEAN NOT NULL,
    permissions TEXT    NOT NULL  -- JSON: accesses by resource
);

-- Administrators of all stores: people with a password, and integrations with a permanent key.
CREATE TABLE administrators (
    admin_id              TEXT    NOT NULL PRIMARY KEY,
    username              TEXT    NOT NULL UNIQUE,
    email                 TEXT    NOT NULL,
    first_name            TEXT    NOT NULL,
    last_name             TEXT    NOT NULL,
    phone                 TEXT    NOT NULL,
    password_hash         TEXT    NOT NULL,
    api_key_hash          TEXT    NOT NULL, -- SHA-256 of the permanent key
    external              BOOLEAN NOT NULL, -- an integration
    active                BOOLEAN NOT NULL,
    notifications_enabled BOOLEAN NOT NULL,
    role_id               BIGINT REFERENCES roles (role_id), -- NULL: roles in some stores only
    last_login_at         BIGINT,
    created_at            BIGINT  NOT NULL,
    api_key_end           TEXT    NOT NULL DEFAULT '', -- the last characters of the permanent key
    first_name_order      TEXT    NOT NULL, -- without case and accents: the order of lists
    last_name_order       TEXT    NOT NULL
);
CREATE UNIQUE INDEX administrators_email ON administrators (email) WHERE email <> '';
CREATE UNIQUE INDEX administrators_api_key ON administrators (api_key_hash) WHERE api_key_hash <> '';

-- Sellers of a store. The rows of deleted sellers stay, because purchases and transfers refer to them.
CREATE TABLE sellers (
    store_id             BIGINT  NOT NULL,
    seller_id            TEXT    NOT NULL,
    email                TEXT    NOT NULL,
    first_name           TEXT    NOT NULL,
    last_name            TEXT    NOT NULL,
    phone                TEXT    NOT NULL,
    password_hash        TEXT    NOT NULL,
    pos_id               TEXT    NOT NULL,
    active               BOOLEAN NOT NULL,
    deleted              BOOLEAN NOT NULL,
    allow_point_transfer BOOLEAN NOT NULL,
    allow_coupon_use     BOOLEAN NOT NULL,
    allow_coupon_lookup  BOOLEAN NOT NULL,
    allow_transactions   BOOLEAN NOT NULL, -- may register receipts
    allow_coupon_cancel  BOOLEAN NOT NULL, -- may cancel purchases
    last_login_at        BIGINT,
    created_at           BIGINT  NOT NULL,
    first_name_order     TEXT    NOT NULL, -- without case and accents: the order of lists
    last_name_order      TEXT    NOT NULL,
    PRIMARY KEY (store_id, seller_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX sellers_email ON sellers (store_id, email) WHERE NOT deleted;

-- Keys that sign access tokens, shared by all nodes. The newest one signs; older ones verify.
CREATE TABLE signing_keys (
    kid        TEXT   NOT NULL PRIMARY KEY,
    secret     TEXT   NOT NULL, -- base64
    created_at BIGINT NOT NULL
);

-- A session is a log-in with all tokens that are issued for it. The tokens of an ended session are revoked.
CREATE TABLE sessions (
    session_id   TEXT   NOT NULL PRIMARY KEY,
    role         TEXT   NOT NULL,
    user_id      TEXT   NOT NULL,
    store_id     BIGINT NOT NULL, -- 0 for administrators
    network      BIGINT NOT NULL, -- 16 bits of a hash of the user and the client's network
    access_until BIGINT NOT NULL, -- when its last access token has expired
    expires_at   BIGINT NOT NULL, -- when its last token of either kind has expired
    ended_at     BIGINT,          -- NULL unless it was ended before it expired
    started_at   BIGINT NOT NULL,
    used_at      BIGINT NOT NULL, -- at the log-in or the last refresh
    agent        TEXT   NOT NULL  -- User-Agent of that request
);
CREATE INDEX sessions_user ON sessions (user_id, network);   -- all sessions of a user; known networks of a user
CREATE INDEX sessions_used ON sessions (user_id, used_at);   -- the list of a user's sessions
CREATE INDEX sessions_expiry ON sessions (expires_at);       -- the job that deletes expired sessions
CREATE INDEX sessions_ended ON sessions (access_until) WHERE ended_at IS NOT NULL; -- revoked access tokens

-- Refresh tokens. A used token stays, so that its reuse is noticed.
CREATE TABLE refresh_tokens (
    token_hash TEXT   NOT NULL PRIMARY KEY, -- SHA-256, hexadecimal
    expires_at BIGINT NOT NULL,
    session_id TEXT   NOT NULL DEFAULT '',
    used_at    BIGINT -- time of the first use
);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);   -- the job that deletes expired tokens
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);  -- the tokens of a session

-- Links to the set-up of an installation without administrator. They are deleted when it is done.
CREATE TABLE setup_links (
    token_hash TEXT   NOT NULL PRIMARY KEY, -- SHA-256, hexadecimal
    expires_at BIGINT NOT NULL
);
