-- +goose Up

-- Baskets whose prices, coupons, limits and points are kept for a customer until they are paid. See
-- docs/behaviour/reservations.md.
CREATE TABLE reservations (
    store_id        BIGINT NOT NULL,
    reservation_id  TEXT   NOT NULL,
    customer_id     TEXT   NOT NULL, -- empty for nobody
    caller_id       TEXT   NOT NULL, -- who made it
    pos_id          TEXT   NOT NULL, -- of the seller; may be empty
    state           TEXT   NOT NULL, -- reserved, confirmed or cancelled; reserved after expires_at means expired
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    ended_at        BIGINT,          -- NULL unless it is confirmed or cancelled
    document_number TEXT   NOT NULL, -- of the receipt; empty unless it is confirmed
    transaction_id  TEXT   NOT NULL, -- of the receipt; empty unless it is confirmed
    basket          TEXT   NOT NULL, -- JSON: the lines as they are paid, and what is kept
    checkout        TEXT   NOT NULL, -- JSON: the response of the checkout
    outcome         TEXT   NOT NULL, -- JSON: what confirming it brought; null unless it is confirmed
    PRIMARY KEY (store_id, reservation_id)
) WITHOUT ROWID;
CREATE INDEX reservations_customer ON reservations (store_id, customer_id, reservation_id) WHERE customer_id <> '';
CREATE INDEX reservations_end ON reservations (store_id, expires_at); -- to delete them
-- Open ones are counted for the limit of a caller.
CREATE INDEX reservations_open_caller ON reservations (store_id, caller_id, expires_at) WHERE state = 'reserved';

-- What reservations keep of an account, with their ends: points by lot, and purchases by campaign. JSON.
ALTER TABLE accounts ADD COLUMN holds TEXT NOT NULL DEFAULT 'null';

-- What reservations keep of the limits and codes of campaigns, until they end. Nobody but the job reads ended ones.
CREATE TABLE campaign_holds (
    store_id       BIGINT NOT NULL,
    campaign_id    TEXT   NOT NULL,
    ends_at        BIGINT NOT NULL,
    reservation_id TEXT   NOT NULL,
    quantity       BIGINT NOT NULL,
    PRIMARY KEY (store_id, campaign_id, ends_at, reservation_id)
) WITHOUT ROWID;
CREATE INDEX campaign_holds_end ON campaign_holds (store_id, ends_at);
ALTER TABLE campaign_counters ADD COLUMN held_until BIGINT; -- the latest end of its holds; NULL for none

-- The reservation that keeps a coupon, and until when. NULL and empty for none.
ALTER TABLE purchases ADD COLUMN held_until BIGINT;
ALTER TABLE purchases ADD COLUMN held_by TEXT NOT NULL DEFAULT '';
--sqlite: DROP VIEW campaign_purchases;
--sqlite: CREATE VIEW campaign_purchases AS
--sqlite:     SELECT i.store_id, i.coupon_id, p.customer_id, i.campaign_id, i.position, p.code, p.status,
--sqlite:         p.used, p.purchased_at, p.active_since, p.active_to, p.used_at, p.cost, p.price, p.points_before,
--sqlite:         p.spend_id, p.reward, p.campaign_name, p.delivery_status, p.transaction_id,
--sqlite:         p.used_for_transaction_id, p.used_pos_id, p.returned_amount, p.tax_price, p.customer_email,
--sqlite:         p.customer_phone, p.customer_name, p.customer_lastname, p.shipping_address, p.level_id,
--sqlite:         p.used_level_id, p.receipt_pos_id, p.receipt_sales, p.held_until, p.held_by
--sqlite:     FROM purchase_positions i CROSS JOIN purchases p WHERE p.store_id = i.store_id AND p.coupon_id = i.coupon_id
--sqlite:     UNION ALL
--sqlite:     SELECT i.store_id, i.coupon_id, p.customer_id, i.campaign_id, i.position, p.code, p.status,
--sqlite:         p.used, p.purchased_at, p.active_since, p.active_to, p.used_at, p.cost, p.price, p.points_before,
--sqlite:         p.spend_id, p.reward, p.campaign_name, p.delivery_status, p.transaction_id,
--sqlite:         p.used_for_transaction_id, p.used_pos_id, p.returned_amount, p.tax_price, p.customer_email,
--sqlite:         p.customer_phone, p.customer_name, p.customer_lastname, p.shipping_address, p.level_id,
--sqlite:         p.used_level_id, p.receipt_pos_id, p.receipt_sales, p.held_until, p.held_by
--sqlite:     FROM recent_positions i CROSS JOIN purchases p WHERE p.store_id = i.store_id AND p.coupon_id = i.coupon_id;
--postgres: CREATE OR REPLACE VIEW campaign_purchases AS SELECT * FROM purchases;

-- Points that each line of a sale gives, in hundredths: JSON, null if a return takes a share by value.
ALTER TABLE transactions ADD COLUMN line_points TEXT NOT NULL DEFAULT 'null';
