-- +goose Up

-- What was bought or brought back at tills and in shops. Columns that end in _key are as filters compare
-- them: lower case, trimmed. returned… is what returns took from a sale, never more than there was.
CREATE TABLE transactions (
    store_id         BIGINT  NOT NULL,
    transaction_id   TEXT    NOT NULL,
    document_number  TEXT    NOT NULL,
    document_type    TEXT    NOT NULL, -- sell, return
    revised_id       TEXT    NOT NULL, -- on a return: the sale it takes back
    customer_id      TEXT    NOT NULL, -- empty while nobody is known to have bought
    assigned_at      BIGINT,
    pos_id           TEXT    NOT NULL,
    purchased_at     BIGINT  NOT NULL,
    registered_at    BIGINT  NOT NULL,
    gross_value      BIGINT  NOT NULL, -- hundredths, as all amounts
    gross_without_delivery     BIGINT NOT NULL,
    excluded_for_level         BIGINT NOT NULL,
    excluded_delivery          BIGINT NOT NULL, -- the part of excluded_for_level that is delivery too
    returned                   BIGINT NOT NULL CHECK (returned >= 0 AND returned <= gross_value),
    returned_without_delivery  BIGINT NOT NULL,
    returned_excluded          BIGINT NOT NULL,
    returned_excluded_delivery BIGINT NOT NULL,
    fully_returned   BOOLEAN NOT NULL,
    document_key     TEXT    NOT NULL,
    name_key         TEXT    NOT NULL,
    email_key        TEXT    NOT NULL,
    phone_key        TEXT    NOT NULL,
    loyalty_card_key TEXT    NOT NULL,
    purchase_place   TEXT    NOT NULL,
    revised_document TEXT    NOT NULL,
    customer_data    TEXT    NOT NULL,
    items            TEXT    NOT NULL,
    labels           TEXT    NOT NULL,
    excluded         TEXT    NOT NULL, -- the store's lists of exclusions at the time
    PRIMARY KEY (store_id, transaction_id)
) WITHOUT ROWID;
-- A till that sends a document again finds it here.
CREATE UNIQUE INDEX transactions_document ON transactions (store_id, document_number);
CREATE INDEX transactions_customer ON transactions (store_id, customer_id, transaction_id) WHERE customer_id <> '';
CREATE INDEX transactions_revised ON transactions (store_id, revised_id) WHERE revised_id <> '';
CREATE INDEX transactions_pos ON transactions (store_id, pos_id, transaction_id) WHERE pos_id <> '';
CREATE INDEX transactions_purchased ON transactions (store_id, purchased_at);

-- Labels of transactions, lower case, for the filters of lists.
CREATE TABLE transaction_labels (
    store_id       BIGINT NOT NULL,
    label_key      TEXT   NOT NULL,
    label_value    TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, label_key, label_value, transaction_id)
) WITHOUT ROWID;
CREATE INDEX transaction_labels_value ON transaction_labels (store_id, label_value, transaction_id);

-- Every label ever seen on an item, once.
CREATE TABLE transaction_item_labels (
    store_id    BIGINT NOT NULL,
    label_key   TEXT   NOT NULL,
    label_value TEXT   NOT NULL,
    PRIMARY KEY (store_id, label_key, label_value)
) WITHOUT ROWID;

-- How many transactions a store has, in a few rows, so that tills do not wait for each other.
CREATE TABLE transaction_counters (
    store_id     BIGINT NOT NULL,
    shard        BIGINT NOT NULL,
    transactions BIGINT NOT NULL,
    PRIMARY KEY (store_id, shard)
) WITHOUT ROWID;

-- What a transaction earned, and what its return took back.
CREATE INDEX transfers_transaction ON transfers (store_id, transaction_id) WHERE transaction_id <> '';
