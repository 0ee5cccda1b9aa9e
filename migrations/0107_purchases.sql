-- +goose Up

-- Purchases, one row for each coupon, in the order of buying: the id of a coupon begins with the time. The contact and
-- the address are those of the customer at the time of the purchase.
CREATE TABLE purchases (
    store_id        BIGINT  NOT NULL,
    coupon_id       TEXT    NOT NULL,
    customer_id     TEXT    NOT NULL,
    campaign_id     TEXT    NOT NULL,
    position        BIGINT  NOT NULL, -- number of the purchase in its campaign
    code            TEXT    NOT NULL,
    status          TEXT    NOT NULL, -- inactive, active, expired, cancelled
    used            BOOLEAN NOT NULL,
    purchased_at    BIGINT  NOT NULL,
    active_since    BIGINT,
    active_to       BIGINT,
    used_at         BIGINT,
    cost            BIGINT  NOT NULL, -- points that were charged
    price           BIGINT  NOT NULL, -- points that the campaign costs
    points_before   BIGINT  NOT NULL, -- available points before the purchase
    spend_id        TEXT    NOT NULL, -- the transfer that paid
    reward          TEXT    NOT NULL, -- reward type
    campaign_name   TEXT    NOT NULL,
    delivery_status TEXT    NOT NULL,
    transaction_id  TEXT    NOT NULL, -- the sale that brought the coupon
    used_for_transaction_id TEXT NOT NULL, -- the sale that the coupon was used for
    used_pos_id     TEXT    NOT NULL, -- the point of sale of the seller who used it
    returned_amount BIGINT  NOT NULL,
    tax_price       BIGINT,
    customer_email  TEXT    NOT NULL,
    customer_phone  TEXT    NOT NULL,
    customer_name   TEXT    NOT NULL,
    customer_lastname TEXT  NOT NULL,
    shipping_address TEXT   NOT NULL,
    PRIMARY KEY (store_id, coupon_id)
) WITHOUT ROWID;
-- Lists of one customer, in the order of buying. With the reward type, the total of customers' own lists, which leave out
-- cashback, needs no other column.
CREATE INDEX purchases_customer ON purchases (store_id, customer_id, purchased_at, coupon_id, reward);
-- Purchases by campaign and position. On PostgreSQL, a unique index finds them, and ensures that no code is sold twice.
--
-- On SQLite, the one writer and the counter of the campaign ensure this, and such an index would be a third of what a
-- purchase writes, because purchases of different campaigns change different pages of it. There, each purchase is
-- added to the end of recent_positions, from where about a thousand rows move to purchase_positions together.
--postgres: CREATE UNIQUE INDEX purchases_position ON purchases (store_id, campaign_id, position);
--postgres: CREATE VIEW campaign_purchases AS SELECT * FROM purchases;
--sqlite: CREATE TABLE purchase_positions (
--sqlite:     store_id    BIGINT NOT NULL,
--sqlite:     campaign_id TEXT   NOT NULL,
--sqlite:     position    BIGINT NOT NULL,
--sqlite:     coupon_id   TEXT   NOT NULL,
--sqlite:     PRIMARY KEY (store_id, campaign_id, position)
--sqlite: ) WITHOUT ROWID;
--sqlite: CREATE TABLE recent_positions (
--sqlite:     number      INTEGER PRIMARY KEY, -- counts the rows
--sqlite:     store_id    BIGINT NOT NULL,
--sqlite:     campaign_id TEXT   NOT NULL,
--sqlite:     position    BIGINT NOT NULL,
--sqlite:     coupon_id   TEXT   NOT NULL
--sqlite: );
--sqlite: CREATE VIEW campaign_purchases AS
--sqlite:     SELECT i.store_id, i.coupon_id, p.customer_id, i.campaign_id, i.position, p.code, p.status,
--sqlite:         p.used, p.purchased_at, p.active_since, p.active_to, p.used_at, p.cost, p.price, p.points_before,
--sqlite:         p.spend_id, p.reward, p.campaign_name, p.delivery_status, p.transaction_id,
--sqlite:         p.used_for_transaction_id, p.used_pos_id, p.returned_amount, p.tax_price, p.customer_email,
--sqlite:         p.customer_phone, p.customer_name, p.customer_lastname, p.shipping_address
--sqlite:     FROM purchase_positions i CROSS JOIN purchases p WHERE p.store_id = i.store_id AND p.coupon_id = i.coupon_id
--sqlite:     UNION ALL
--sqlite:     SELECT i.store_id, i.coupon_id, p.customer_id, i.campaign_id, i.position, p.code, p.status,
--sqlite:         p.used, p.purchased_at, p.active_since, p.active_to, p.used_at, p.cost, p.price, p.points_before,
--sqlite:         p.spend_id, p.reward, p.campaign_name, p.delivery_status, p.transaction_id,
--sqlite:         p.used_for_transaction_id, p.used_pos_id, p.returned_amount, p.tax_price, p.customer_email,
--sqlite:         p.customer_phone, p.customer_name, p.customer_lastname, p.shipping_address
--sqlite:     FROM recent_positions i CROSS JOIN purchases p WHERE p.store_id = i.store_id AND p.coupon_id = i.coupon_id;
-- Lists of a store.
CREATE INDEX purchases_used ON purchases (store_id, used_at) WHERE used_at IS NOT NULL;
CREATE INDEX purchases_delivery ON purchases (store_id, delivery_status) WHERE delivery_status <> '';
-- The same lists, and the job that activates and expires coupons.
CREATE INDEX purchases_active_since ON purchases (store_id, status, active_since) WHERE active_since IS NOT NULL;
CREATE INDEX purchases_active_to ON purchases (store_id, status, used, active_to) WHERE active_to IS NOT NULL;
-- Coupons that a return of a sale affects: those used for it, and those it brought.
CREATE INDEX purchases_used_for ON purchases (store_id, customer_id, used_for_transaction_id)
    WHERE used_for_transaction_id <> '';
CREATE INDEX purchases_transaction ON purchases (store_id, customer_id, transaction_id) WHERE transaction_id <> '';

-- Cashbacks: points that were exchanged for money. The purchase with the same key spends the points.
CREATE TABLE cashbacks (
    store_id      BIGINT NOT NULL,
    customer_id   TEXT   NOT NULL,
    coupon_id     TEXT   NOT NULL,
    points        BIGINT NOT NULL,
    point_value   BIGINT NOT NULL, -- money for one point
    reward_amount BIGINT NOT NULL, -- money
    provider      TEXT   NOT NULL, -- of the campaign, then of the callback
    state         BIGINT NOT NULL, -- 0 created, 1 paid, 2 failed, 3 in progress
    code          TEXT   NOT NULL, -- of the callback
    message       TEXT   NOT NULL, -- of the callback
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, coupon_id)
) WITHOUT ROWID;

-- Messages to payment providers, at most one for each cashback.
CREATE TABLE cashback_messages (
    store_id     BIGINT NOT NULL,
    message_id   TEXT   NOT NULL, -- requestGuid of every attempt
    customer_id  TEXT   NOT NULL,
    coupon_id    TEXT   NOT NULL,
    amount       BIGINT NOT NULL, -- money
    state        TEXT   NOT NULL, -- waiting, sent, failed, settled
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    due_at       BIGINT,          -- time of the next attempt; while one runs, a time after its deadline
    attempted_at BIGINT,          -- the last attempt, with its outcome:
    status       BIGINT NOT NULL, -- of the response; 0 if there was none
    error        TEXT   NOT NULL,
    finished_at  BIGINT,
    PRIMARY KEY (store_id, message_id)
) WITHOUT ROWID;
CREATE INDEX cashback_messages_due ON cashback_messages (store_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX cashback_messages_coupon ON cashback_messages (store_id, coupon_id);               -- the message of a callback
CREATE INDEX cashback_messages_state ON cashback_messages (store_id, state, message_id);        -- lists
CREATE INDEX cashback_messages_failed ON cashback_messages (store_id) WHERE state = 'failed';   -- the metric
--postgres: ALTER TABLE cashback_messages SET (fillfactor = 50);
