-- +goose Up

-- What is bought lands at the end of two indexes: this one and that of its position. It takes the place of
-- the one by id, which nothing else asked for.
DROP INDEX purchases_coupon;
CREATE INDEX purchases_bought ON purchases (store_id, purchased_at, coupon_id);

-- By what happens to a coupon after it was bought. A purchase is in the last two only when it has the moment;
-- they tell the lists what lies in a span and the job what is due.
CREATE INDEX purchases_used ON purchases (store_id, used_at) WHERE used_at IS NOT NULL;
CREATE INDEX purchases_delivery ON purchases (store_id, delivery_status) WHERE delivery_status <> '';
CREATE INDEX purchases_active_since ON purchases (store_id, status, active_since) WHERE active_since IS NOT NULL;
CREATE INDEX purchases_active_to ON purchases (store_id, status, used, active_to) WHERE active_to IS NOT NULL;

-- Points that were exchanged for money: the purchase of the same key, with what a provider says of the payment.
CREATE TABLE cashbacks (
    store_id      BIGINT NOT NULL,
    customer_id   TEXT   NOT NULL,
    coupon_id     TEXT   NOT NULL,
    points        BIGINT NOT NULL, -- hundredths
    point_value   BIGINT NOT NULL, -- hundredths of a currency unit for each point
    reward_amount BIGINT NOT NULL, -- hundredths of a currency unit
    provider      TEXT   NOT NULL, -- of the campaign, then the one that called
    state         BIGINT NOT NULL, -- 0 created, 1 paid, 2 failed, 3 under way
    code          TEXT   NOT NULL, -- as the provider says it
    message       TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, coupon_id)
) WITHOUT ROWID;
