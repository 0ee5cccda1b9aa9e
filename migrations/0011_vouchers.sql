-- +goose Up

-- What a return looks up: the vouchers that were used for its sale and those that the sale brought. A coupon
-- that has nothing to do with a sale is in neither.
CREATE INDEX purchases_used_for ON purchases (store_id, customer_id, used_for_transaction_id)
    WHERE used_for_transaction_id <> '';
CREATE INDEX purchases_transaction ON purchases (store_id, customer_id, transaction_id) WHERE transaction_id <> '';
