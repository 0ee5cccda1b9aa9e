-- +goose Up

-- Levels that customers reach. The rows of deleted levels stay.
CREATE TABLE levels (
    store_id        BIGINT  NOT NULL,
    level_id        TEXT    NOT NULL,
    condition_value BIGINT  NOT NULL, -- points or money that the level requires
    min_order       BIGINT  NOT NULL,
    reward_name     TEXT    NOT NULL,
    reward_code     TEXT    NOT NULL,
    reward_value    BIGINT  NOT NULL, -- percent
    active          BOOLEAN NOT NULL,
    deleted         BOOLEAN NOT NULL,
    created_at      BIGINT  NOT NULL,
    customers       BIGINT  NOT NULL, -- number of customers in the level
    special_rewards TEXT    NOT NULL, -- JSON
    translations    TEXT    NOT NULL, -- JSON
    PRIMARY KEY (store_id, level_id)
) WITHOUT ROWID;

CREATE TABLE customers (
    store_id           BIGINT  NOT NULL,
    customer_id        TEXT    NOT NULL,
    status             TEXT    NOT NULL, -- new, active, blocked, deleted
    email              TEXT    NOT NULL,
    phone              TEXT    NOT NULL,
    loyalty_card       TEXT    NOT NULL,
    phone_key          TEXT    NOT NULL,
    loyalty_card_key   TEXT    NOT NULL,
    first_name         TEXT    NOT NULL,
    last_name          TEXT    NOT NULL,
    gender             TEXT    NOT NULL,
    birth_date         TEXT    NOT NULL, -- YYYY-MM-DD
    agreement1         BOOLEAN NOT NULL,
    agreement2         BOOLEAN NOT NULL,
    agreement3         BOOLEAN NOT NULL,
    level_id           TEXT    NOT NULL,
    manual_level_id    TEXT    NOT NULL, -- the level that an administrator assigned
    level_achieved_at  BIGINT,
    level_recalculated_at BIGINT,
    pos_id             TEXT    NOT NULL, -- where the customer was registered
    seller_id          TEXT    NOT NULL, -- who registered the customer
    transactions_count BIGINT  NOT NULL, -- sums of the customer's sales less returns
    transactions_amount BIGINT NOT NULL,
    transactions_amount_without_delivery BIGINT NOT NULL,
    amount_excluded_for_level BIGINT NOT NULL,
    last_transaction_at BIGINT,
    password_hash      TEXT    NOT NULL,
    password_temporary BOOLEAN NOT NULL, -- generated, to be changed after the next log-in
    last_login_at      BIGINT,
    created_at         BIGINT  NOT NULL,
    updated_at         BIGINT  NOT NULL,
    version            BIGINT  NOT NULL, -- incremented by every change
    address            TEXT    NOT NULL, -- JSON
    company            TEXT    NOT NULL, -- JSON
    labels             TEXT    NOT NULL, -- JSON
    first_name_key     TEXT    NOT NULL DEFAULT '',
    last_name_key      TEXT    NOT NULL DEFAULT '',
    city_key           TEXT    NOT NULL DEFAULT '', -- of the address
    postal_key         TEXT    NOT NULL DEFAULT '',
    first_name_order   TEXT    NOT NULL DEFAULT '', -- without case and accents: the order of lists
    last_name_order    TEXT    NOT NULL DEFAULT '',
    amount_excluded_delivery BIGINT NOT NULL DEFAULT 0, -- the part of amount_excluded_for_level that is delivery
    points_taken_back  BIGINT  NOT NULL DEFAULT 0, -- by returns; these count for no level
    anonymized_at      BIGINT,
    email_verified     BOOLEAN NOT NULL DEFAULT TRUE, -- somebody verified that the contact is the customer's
    phone_verified     BOOLEAN NOT NULL DEFAULT TRUE,
    inactive_since     BIGINT, -- when the status became blocked or deleted
    locale             TEXT    NOT NULL DEFAULT '', -- language of messages; empty for the default
    invitation_id      TEXT    NOT NULL DEFAULT '', -- the invitation by which the customer registered
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
-- Contacts are unique in a store. They also find the customer at a log-in and of a receipt.
CREATE UNIQUE INDEX customers_email ON customers (store_id, email) WHERE email <> '';
CREATE UNIQUE INDEX customers_phone ON customers (store_id, phone_key) WHERE phone_key <> '';
CREATE UNIQUE INDEX customers_card ON customers (store_id, loyalty_card_key) WHERE loyalty_card_key <> '';
-- Customers of a level.
CREATE INDEX customers_level ON customers (store_id, level_id, customer_id);
-- Filters and orders of the list of customers. With the status, SQLite reads no rows of customers whom a page skips.
--postgres: CREATE INDEX customers_first_name ON customers (store_id, first_name_order, customer_id) WHERE status <> 'deleted';
--postgres: CREATE INDEX customers_last_name ON customers (store_id, last_name_order, customer_id) WHERE status <> 'deleted';
--postgres: CREATE INDEX customers_created ON customers (store_id, created_at) WHERE status <> 'deleted';
--sqlite: CREATE INDEX customers_first_name ON customers (store_id, first_name_order, customer_id, status)
--sqlite:     WHERE status <> 'deleted';
--sqlite: CREATE INDEX customers_last_name ON customers (store_id, last_name_order, customer_id, status)
--sqlite:     WHERE status <> 'deleted';
--sqlite: CREATE INDEX customers_created ON customers (store_id, created_at, customer_id, status)
--sqlite:     WHERE status <> 'deleted';
-- Customers who wait for activation.
CREATE INDEX customers_waiting ON customers (store_id, customer_id) WHERE status = 'new';
-- Customers whose level is due for its check some days after the last one.
CREATE INDEX customers_level_check ON customers (store_id, COALESCE(level_recalculated_at, created_at))
    WHERE status = 'active';
-- Customers by month and day of their birth.
CREATE INDEX customers_birthday ON customers (store_id, SUBSTR(birth_date, 6, 5), customer_id)
    WHERE status = 'active' AND birth_date <> '' AND agreement2 = TRUE;
-- Customers whose access tokens are revoked.
CREATE INDEX customers_inactive ON customers (inactive_since) WHERE inactive_since IS NOT NULL;

-- Devices of customers that get push messages. A device belongs to one customer.
CREATE TABLE customer_push_tokens (
    store_id      BIGINT NOT NULL,
    token         TEXT   NOT NULL,
    customer_id   TEXT   NOT NULL,
    registered_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, token)
) WITHOUT ROWID;
CREATE INDEX customer_push_tokens_of ON customer_push_tokens (store_id, customer_id, registered_at);

-- Customers who were just anonymized. A job clears what concurrent requests have written about them meanwhile.
CREATE TABLE anonymizations (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    due_at      BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;

-- Customers who deleted their account, and when it is erased unless they sign in before.
CREATE TABLE leaving_customers (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    due_at      BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
CREATE INDEX leaving_customers_due ON leaving_customers (store_id, due_at); -- the job that erases them
