-- +goose Up

-- Points of sale. The two totals are the sums of the sales there, less returns.
CREATE TABLE points_of_sale (
    store_id            BIGINT NOT NULL,
    pos_id              TEXT   NOT NULL,
    identifier          TEXT   NOT NULL,
    name                TEXT   NOT NULL,
    description         TEXT   NOT NULL,
    location            TEXT   NOT NULL, -- JSON
    transactions_amount BIGINT NOT NULL,
    transactions_count  BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    name_order          TEXT   NOT NULL, -- without case and accents: the order of lists
    PRIMARY KEY (store_id, pos_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX points_of_sale_identifier ON points_of_sale (store_id, identifier);
--postgres: ALTER TABLE points_of_sale SET (fillfactor = 50);

-- Receipts of sales and returns. The returned amounts of a sale are the sums of its returns.
CREATE TABLE transactions (
    store_id         BIGINT  NOT NULL,
    transaction_id   TEXT    NOT NULL,
    document_number  TEXT    NOT NULL,
    document_type    TEXT    NOT NULL, -- sell, return
    revised_id       TEXT    NOT NULL, -- the sale of a return
    customer_id      TEXT    NOT NULL, -- empty until the receipt is matched with a customer
    assigned_at      BIGINT,           -- when it was last matched; it stays when the customer is deleted, as a receipt earns once
    pos_id           TEXT    NOT NULL,
    purchased_at     BIGINT  NOT NULL,
    registered_at    BIGINT  NOT NULL,
    gross_value      BIGINT  NOT NULL,
    gross_without_delivery     BIGINT NOT NULL,
    excluded_for_level         BIGINT NOT NULL,
    excluded_delivery          BIGINT NOT NULL, -- the part of excluded_for_level that is delivery
    returned                   BIGINT NOT NULL CHECK (returned >= 0 AND returned <= gross_value),
    returned_without_delivery  BIGINT NOT NULL,
    returned_excluded          BIGINT NOT NULL,
    returned_excluded_delivery BIGINT NOT NULL,
    fully_returned   BOOLEAN NOT NULL,
    document_key     TEXT    NOT NULL,
    recased_of       TEXT    NOT NULL, -- an earlier number that differs only in case; empty for none
    name_key         TEXT    NOT NULL,
    email_key        TEXT    NOT NULL,
    phone_key        TEXT    NOT NULL,
    loyalty_card_key TEXT    NOT NULL,
    purchase_place   TEXT    NOT NULL,
    revised_document TEXT    NOT NULL,
    customer_data    TEXT    NOT NULL, -- JSON
    items            TEXT    NOT NULL, -- JSON
    labels           TEXT    NOT NULL, -- JSON
    excluded         TEXT    NOT NULL, -- JSON: the exclusions in the settings of the store at the time
    PRIMARY KEY (store_id, transaction_id)
) WITHOUT ROWID;
-- A receipt that is sent again is refused. The key belongs to the number, and is there for filters.
CREATE UNIQUE INDEX transactions_document ON transactions (store_id, document_key, document_number);
-- Receipts of a customer, returns of a sale, and filters of lists.
CREATE INDEX transactions_customer ON transactions (store_id, customer_id, transaction_id) WHERE customer_id <> '';
CREATE INDEX transactions_revised ON transactions (store_id, revised_id) WHERE revised_id <> '';
CREATE INDEX transactions_pos ON transactions (store_id, pos_id, transaction_id) WHERE pos_id <> '';
-- The last sale of a customer that was not returned completely.
CREATE INDEX transactions_last_sale ON transactions (store_id, customer_id, purchased_at)
    WHERE customer_id <> '' AND document_type = 'sell' AND fully_returned = FALSE;
CREATE INDEX transactions_purchased ON transactions (store_id, purchased_at);
CREATE INDEX transactions_recased ON transactions (store_id, registered_at) WHERE recased_of <> '';
-- Receipts without a customer by the contact on them, to clear them when that customer is anonymized.
CREATE INDEX transactions_unclaimed_email ON transactions (store_id, email_key)
    WHERE customer_id = '' AND email_key <> ' ';
CREATE INDEX transactions_unclaimed_phone ON transactions (store_id, phone_key)
    WHERE customer_id = '' AND phone_key <> ' ';
CREATE INDEX transactions_unclaimed_card ON transactions (store_id, loyalty_card_key)
    WHERE customer_id = '' AND loyalty_card_key <> ' ';

-- Receipts by label, in lower case, for the filters of lists.
CREATE TABLE transaction_labels (
    store_id       BIGINT NOT NULL,
    label_key      TEXT   NOT NULL,
    label_value    TEXT   NOT NULL,
    transaction_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, label_key, label_value, transaction_id)
) WITHOUT ROWID;
CREATE INDEX transaction_labels_value ON transaction_labels (store_id, label_value, transaction_id); -- any key

-- All labels that items of receipts have had.
CREATE TABLE transaction_item_labels (
    store_id    BIGINT NOT NULL,
    label_key   TEXT   NOT NULL,
    label_value TEXT   NOT NULL,
    PRIMARY KEY (store_id, label_key, label_value)
) WITHOUT ROWID;
