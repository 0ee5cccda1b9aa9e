-- +goose Up

-- Views of the list of customers that administrators save for themselves, or for all administrators of the store.
CREATE TABLE customer_views (
    store_id   BIGINT  NOT NULL,
    view_id    TEXT    NOT NULL,
    owner_id   TEXT    NOT NULL, -- the administrator; empty for the master key
    owner_name TEXT    NOT NULL,
    shared     BOOLEAN NOT NULL,
    name       TEXT    NOT NULL,
    query      TEXT    NOT NULL, -- JSON: filters, sort, direction
    created_at BIGINT  NOT NULL,
    PRIMARY KEY (store_id, view_id)
) WITHOUT ROWID;
CREATE INDEX customer_views_owner ON customer_views (store_id, owner_id);
CREATE INDEX customer_views_shared ON customer_views (store_id, shared) WHERE shared;

-- What a coupon counts to the sums of its reward: the level of the customer when it was bought and when it was used, and
-- what returns have left of the receipt that it was used for, with the point of sale of that receipt. receipt_sales is
-- NULL unless this is the first coupon of its campaign that was used for the receipt.
ALTER TABLE purchases ADD COLUMN level_id TEXT NOT NULL DEFAULT '';
ALTER TABLE purchases ADD COLUMN used_level_id TEXT NOT NULL DEFAULT '';
ALTER TABLE purchases ADD COLUMN receipt_pos_id TEXT NOT NULL DEFAULT '';
ALTER TABLE purchases ADD COLUMN receipt_sales BIGINT;
--sqlite: DROP VIEW campaign_purchases;
--sqlite: CREATE VIEW campaign_purchases AS
--sqlite:     SELECT i.store_id, i.coupon_id, p.customer_id, i.campaign_id, i.position, p.code, p.status,
--sqlite:         p.used, p.purchased_at, p.active_since, p.active_to, p.used_at, p.cost, p.price, p.points_before,
--sqlite:         p.spend_id, p.reward, p.campaign_name, p.delivery_status, p.transaction_id,
--sqlite:         p.used_for_transaction_id, p.used_pos_id, p.returned_amount, p.tax_price, p.customer_email,
--sqlite:         p.customer_phone, p.customer_name, p.customer_lastname, p.shipping_address, p.level_id,
--sqlite:         p.used_level_id, p.receipt_pos_id, p.receipt_sales
--sqlite:     FROM purchase_positions i CROSS JOIN purchases p WHERE p.store_id = i.store_id AND p.coupon_id = i.coupon_id
--sqlite:     UNION ALL
--sqlite:     SELECT i.store_id, i.coupon_id, p.customer_id, i.campaign_id, i.position, p.code, p.status,
--sqlite:         p.used, p.purchased_at, p.active_since, p.active_to, p.used_at, p.cost, p.price, p.points_before,
--sqlite:         p.spend_id, p.reward, p.campaign_name, p.delivery_status, p.transaction_id,
--sqlite:         p.used_for_transaction_id, p.used_pos_id, p.returned_amount, p.tax_price, p.customer_email,
--sqlite:         p.customer_phone, p.customer_name, p.customer_lastname, p.shipping_address, p.level_id,
--sqlite:         p.used_level_id, p.receipt_pos_id, p.receipt_sales
--sqlite:     FROM recent_positions i CROSS JOIN purchases p WHERE p.store_id = i.store_id AND p.coupon_id = i.coupon_id;
--postgres: CREATE OR REPLACE VIEW campaign_purchases AS SELECT * FROM purchases;
UPDATE purchases SET receipt_sales = (SELECT t.gross_value - t.returned FROM transactions t
        WHERE t.store_id = purchases.store_id AND t.transaction_id = purchases.used_for_transaction_id
        AND t.customer_id = purchases.customer_id AND t.fully_returned = FALSE)
    WHERE used AND used_for_transaction_id <> '' AND status <> 'cancelled' AND NOT EXISTS (SELECT 1 FROM purchases p
        WHERE p.store_id = purchases.store_id AND p.customer_id = purchases.customer_id
        AND p.used_for_transaction_id = purchases.used_for_transaction_id AND p.campaign_id = purchases.campaign_id
        AND p.coupon_id < purchases.coupon_id AND p.used AND p.status <> 'cancelled');

-- Coupons of a reward by day, split by the level of the customer (dimension 2) and by point of sale (dimension 1).
-- Concurrent transactions add to different rows.
CREATE TABLE reward_sums (
    store_id    BIGINT NOT NULL,
    dimension   BIGINT NOT NULL,
    day         BIGINT NOT NULL, -- days since 1970-01-01 in the time zone of the store
    campaign_id TEXT   NOT NULL,
    subject_id  TEXT   NOT NULL, -- point of sale or level; empty for none
    shard       BIGINT NOT NULL,
    bought      BIGINT NOT NULL,
    points      BIGINT NOT NULL, -- that they cost
    used        BIGINT NOT NULL,
    receipts    BIGINT NOT NULL, -- for which they were used
    sales       BIGINT NOT NULL, -- money: what returns have left of these receipts
    PRIMARY KEY (store_id, dimension, day, campaign_id, subject_id, shard)
) WITHOUT ROWID;
--postgres: ALTER TABLE reward_sums SET (fillfactor = 50);

-- The job computes the new sums.
UPDATE rollups SET settled = FALSE;
