-- +goose Up

-- Conventions: points and money are whole numbers of the smallest unit, times are microseconds since
-- 1970 in UTC, ids are UUIDv7 texts, texts that may be missing are empty, JSON is opaque to the
-- database. Every table of a store leads its key with store_id.

CREATE TABLE stores (
    store_id   BIGINT  NOT NULL PRIMARY KEY, -- short inner key; clients see id
    id         TEXT    NOT NULL UNIQUE,
    code       TEXT    NOT NULL UNIQUE,
    name       TEXT    NOT NULL,
    currency   TEXT    NOT NULL,
    active     BOOLEAN NOT NULL,
    settings   TEXT    NOT NULL,
    created_at BIGINT  NOT NULL
);

CREATE TABLE languages (
    code       TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    is_default BOOLEAN NOT NULL,
    position   BIGINT  NOT NULL,
    content    TEXT    NOT NULL,
    updated_at BIGINT  NOT NULL
);

-- Numbers that clients see and that must never repeat: ids of translation rows.
CREATE TABLE counters (
    name  TEXT   NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL -- the last one given out
);
INSERT INTO counters (name, value) VALUES ('translation', 0);

CREATE TABLE roles (
    role_id     BIGINT  NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE,
    master      BOOLEAN NOT NULL,
    is_default  BOOLEAN NOT NULL,
    permissions TEXT    NOT NULL
);

CREATE TABLE administrators (
    admin_id              TEXT    NOT NULL PRIMARY KEY,
    username              TEXT    NOT NULL UNIQUE,
    email                 TEXT    NOT NULL,
    first_name            TEXT    NOT NULL,
    last_name             TEXT    NOT NULL,
    phone                 TEXT    NOT NULL,
    password_hash         TEXT    NOT NULL,
    api_key_hash          TEXT    NOT NULL,
    external              BOOLEAN NOT NULL,
    active                BOOLEAN NOT NULL,
    notifications_enabled BOOLEAN NOT NULL,
    role_id               BIGINT  NOT NULL REFERENCES roles (role_id),
    last_login_at         BIGINT,
    created_at            BIGINT  NOT NULL
);
CREATE UNIQUE INDEX administrators_email ON administrators (email) WHERE email <> '';
CREATE UNIQUE INDEX administrators_api_key ON administrators (api_key_hash) WHERE api_key_hash <> '';

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
    last_login_at        BIGINT,
    created_at           BIGINT  NOT NULL,
    PRIMARY KEY (store_id, seller_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX sellers_email ON sellers (store_id, email) WHERE NOT deleted;

CREATE TABLE signing_keys (
    kid        TEXT   NOT NULL PRIMARY KEY,
    secret     TEXT   NOT NULL, -- base64
    created_at BIGINT NOT NULL
);

CREATE TABLE refresh_tokens (
    token_hash TEXT   NOT NULL PRIMARY KEY, -- SHA-256, hexadecimal
    role       TEXT   NOT NULL,
    user_id    TEXT   NOT NULL,
    store_id   BIGINT NOT NULL, -- 0 for administrators
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

CREATE TABLE levels (
    store_id        BIGINT  NOT NULL,
    level_id        TEXT    NOT NULL,
    condition_value BIGINT  NOT NULL, -- hundredths of a point or of a currency unit
    min_order       BIGINT  NOT NULL, -- hundredths
    reward_name     TEXT    NOT NULL,
    reward_code     TEXT    NOT NULL,
    reward_value    BIGINT  NOT NULL, -- hundredths of a percent
    active          BOOLEAN NOT NULL,
    deleted         BOOLEAN NOT NULL,
    created_at      BIGINT  NOT NULL,
    customers       BIGINT  NOT NULL, -- how many are in the level
    special_rewards TEXT    NOT NULL,
    translations    TEXT    NOT NULL,
    PRIMARY KEY (store_id, level_id)
) WITHOUT ROWID;

CREATE TABLE customers (
    store_id           BIGINT  NOT NULL,
    customer_id        TEXT    NOT NULL,
    status             TEXT    NOT NULL, -- new, active, blocked, deleted
    email              TEXT    NOT NULL,
    phone              TEXT    NOT NULL,
    loyalty_card       TEXT    NOT NULL,
    phone_key          TEXT    NOT NULL, -- as compared: lower case, trimmed
    loyalty_card_key   TEXT    NOT NULL,
    first_name         TEXT    NOT NULL,
    last_name          TEXT    NOT NULL,
    gender             TEXT    NOT NULL,
    birth_date         TEXT    NOT NULL, -- YYYY-MM-DD
    agreement1         BOOLEAN NOT NULL,
    agreement2         BOOLEAN NOT NULL,
    agreement3         BOOLEAN NOT NULL,
    level_id           TEXT    NOT NULL,
    manual_level_id    TEXT    NOT NULL,
    level_achieved_at  BIGINT,
    level_recalculated_at BIGINT,
    pos_id             TEXT    NOT NULL,
    seller_id          TEXT    NOT NULL,
    transactions_count BIGINT  NOT NULL,
    transactions_amount BIGINT NOT NULL,
    transactions_amount_without_delivery BIGINT NOT NULL,
    amount_excluded_for_level BIGINT NOT NULL,
    last_transaction_at BIGINT,
    password_hash      TEXT    NOT NULL,
    password_temporary BOOLEAN NOT NULL,
    last_login_at      BIGINT,
    created_at         BIGINT  NOT NULL,
    updated_at         BIGINT  NOT NULL,
    version            BIGINT  NOT NULL,
    address            TEXT    NOT NULL,
    company            TEXT    NOT NULL,
    labels             TEXT    NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX customers_email ON customers (store_id, email) WHERE email <> '';
CREATE UNIQUE INDEX customers_phone ON customers (store_id, phone_key) WHERE phone_key <> '';
CREATE UNIQUE INDEX customers_card ON customers (store_id, loyalty_card_key) WHERE loyalty_card_key <> '';
CREATE INDEX customers_level ON customers (store_id, level_id, customer_id);

-- The account row is what every change of a customer's points locks. Its sums are those of his lots.
CREATE TABLE accounts (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    account_id  TEXT   NOT NULL,
    points      BIGINT NOT NULL CHECK (points >= 0), -- spendable
    p2p         BIGINT NOT NULL CHECK (p2p >= 0),    -- the part of points that came from customers
    earned      BIGINT NOT NULL,
    used        BIGINT NOT NULL,
    expired     BIGINT NOT NULL,
    locked      BIGINT NOT NULL CHECK (locked >= 0),
    blocked     BIGINT NOT NULL CHECK (blocked >= 0),
    next_due_at BIGINT, -- no lot unlocks or expires before this moment
    bought      TEXT   NOT NULL, -- how often the customer bought each campaign
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
CREATE INDEX accounts_due ON accounts (next_due_at) WHERE next_due_at IS NOT NULL;
--postgres: ALTER TABLE accounts SET (fillfactor = 50);

-- Every movement of points. A transfer that adds points is a lot: available is what is left of it.
CREATE TABLE transfers (
    store_id       BIGINT  NOT NULL,
    customer_id    TEXT    NOT NULL,
    transfer_id    TEXT    NOT NULL,
    type           TEXT    NOT NULL, -- adding, spending, p2p_adding, p2p_spending, blocked
    state          TEXT    NOT NULL, -- active, pending, expired, canceled
    value          BIGINT  NOT NULL CHECK (value > 0),
    available      BIGINT  NOT NULL CHECK (available >= 0 AND available <= value),
    is_open        BOOLEAN NOT NULL, -- a lot that still has something to give, now or when unlocked
    created_at     BIGINT  NOT NULL,
    expires_at     BIGINT,
    locked_until   BIGINT,
    issuer         TEXT    NOT NULL,
    comment        TEXT    NOT NULL,
    transaction_id TEXT    NOT NULL,
    revised_transaction_id TEXT NOT NULL,
    other_customer_id TEXT NOT NULL, -- the other side of a p2p transfer
    lots           TEXT    NOT NULL, -- on a spend: which lots gave how much
    PRIMARY KEY (store_id, customer_id, transfer_id)
) WITHOUT ROWID;
CREATE INDEX transfers_open ON transfers (store_id, customer_id, is_open) WHERE is_open = TRUE;
CREATE INDEX transfers_newest ON transfers (store_id, transfer_id);
--postgres: ALTER TABLE transfers SET (fillfactor = 80);

CREATE TABLE campaigns (
    store_id         BIGINT  NOT NULL,
    campaign_id      TEXT    NOT NULL,
    version          BIGINT  NOT NULL, -- grows with every change of the definition
    reward           TEXT    NOT NULL,
    active           BOOLEAN NOT NULL,
    featured         BOOLEAN NOT NULL,
    is_public        BOOLEAN NOT NULL,
    cost             BIGINT  NOT NULL, -- hundredths of a point
    unlimited        BOOLEAN NOT NULL,
    single_coupon    BOOLEAN NOT NULL,
    usage_limit      BIGINT  NOT NULL,
    limit_per_user   BIGINT  NOT NULL,
    days_inactive    BIGINT  NOT NULL,
    days_valid       BIGINT  NOT NULL,
    all_time_active  BOOLEAN NOT NULL,
    active_from      BIGINT,
    active_to        BIGINT,
    all_time_visible BOOLEAN NOT NULL,
    visible_from     BIGINT,
    visible_to       BIGINT,
    created_at       BIGINT  NOT NULL,
    definition       TEXT    NOT NULL,
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
CREATE INDEX campaigns_active ON campaigns (store_id, active, campaign_id) WHERE active = TRUE;

CREATE TABLE campaign_targets (
    store_id    BIGINT NOT NULL,
    target_id   TEXT   NOT NULL, -- a level or a segment
    campaign_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, target_id, campaign_id)
) WITHOUT ROWID;

-- The counters row is what every purchase and every change of a campaign locks.
CREATE TABLE campaign_counters (
    store_id      BIGINT NOT NULL,
    campaign_id   TEXT   NOT NULL,
    version       BIGINT NOT NULL, -- of the definition
    sold          BIGINT NOT NULL,
    customers     BIGINT NOT NULL, -- different customers who bought
    next_position BIGINT NOT NULL, -- position of the next purchase
    last_position BIGINT NOT NULL, -- position of the last code; next_position - 1 when all are sold
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE campaign_counters SET (fillfactor = 20);

-- Codes are sold by position. Copies of a code further down the list have positions below zero: they
-- are shown but never sold, because one purchase takes every copy.
CREATE TABLE campaign_codes (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    position    BIGINT NOT NULL,
    list_number BIGINT NOT NULL, -- place in the list as it was sent
    code        TEXT   NOT NULL,
    PRIMARY KEY (store_id, campaign_id, position)
) WITHOUT ROWID;

CREATE TABLE purchases (
    store_id        BIGINT  NOT NULL,
    customer_id     TEXT    NOT NULL,
    coupon_id       TEXT    NOT NULL,
    campaign_id     TEXT    NOT NULL,
    position        BIGINT  NOT NULL,
    code            TEXT    NOT NULL,
    status          TEXT    NOT NULL, -- inactive, active, expired, cancelled
    used            BOOLEAN NOT NULL,
    purchased_at    BIGINT  NOT NULL,
    active_since    BIGINT,
    active_to       BIGINT,
    used_at         BIGINT,
    cost            BIGINT  NOT NULL, -- points charged, hundredths
    price           BIGINT  NOT NULL, -- price of the campaign, hundredths
    points_before   BIGINT  NOT NULL, -- balance before the purchase, hundredths
    spend_id        TEXT    NOT NULL, -- the transfer that paid
    reward          TEXT    NOT NULL,
    campaign_name   TEXT    NOT NULL,
    delivery_status TEXT    NOT NULL,
    transaction_id  TEXT    NOT NULL,
    used_for_transaction_id TEXT NOT NULL,
    returned_amount BIGINT  NOT NULL,
    tax_price       BIGINT, -- hundredths
    customer_email  TEXT    NOT NULL,
    customer_phone  TEXT    NOT NULL,
    customer_name   TEXT    NOT NULL,
    customer_lastname TEXT  NOT NULL,
    shipping_address TEXT   NOT NULL,
    PRIMARY KEY (store_id, customer_id, coupon_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX purchases_position ON purchases (store_id, campaign_id, position);
CREATE INDEX purchases_coupon ON purchases (store_id, coupon_id);

-- Numbered events, ids ascending without gaps in the order in which readers see them.
CREATE TABLE events (
    id           BIGINT NOT NULL PRIMARY KEY,
    store_id     BIGINT NOT NULL,
    aggregate_id TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    recorded_at  BIGINT NOT NULL,
    payload      TEXT   NOT NULL
) WITHOUT ROWID;

-- Committed events that wait for their number: only where commits overlap. A row is put in and taken
-- out once, so PostgreSQL must clean up behind it at once.
CREATE TABLE event_queue (
    queue_id     BIGINT NOT NULL PRIMARY KEY,
    store_id     BIGINT NOT NULL,
    aggregate_id TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    recorded_at  BIGINT NOT NULL,
    payload      TEXT   NOT NULL
) WITHOUT ROWID;

--postgres: CREATE SEQUENCE event_queue_ids OWNED BY event_queue.queue_id;
--postgres: ALTER TABLE event_queue ALTER COLUMN queue_id SET DEFAULT nextval('event_queue_ids');
--postgres: ALTER TABLE event_queue SET (autovacuum_vacuum_scale_factor = 0,
--postgres:     autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0);

-- How far each reader of the event table has come. The row "numbering" is the lock of the numbering.
CREATE TABLE event_cursors (
    name    TEXT   NOT NULL PRIMARY KEY,
    last_id BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO event_cursors (name, last_id) VALUES ('numbering', 0), ('relay', 0);

CREATE TABLE jobs (
    name        TEXT   NOT NULL PRIMARY KEY,
    owner       TEXT   NOT NULL, -- node that holds the lease
    lease_until BIGINT NOT NULL,
    last_run_at BIGINT,
    next_run_at BIGINT NOT NULL,
    done        BIGINT NOT NULL, -- rows handled by the last run
    error       TEXT   NOT NULL  -- of the last run
) WITHOUT ROWID;
