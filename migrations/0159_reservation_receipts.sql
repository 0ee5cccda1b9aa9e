-- +goose Up

-- Restoring the coupons of a sale looks for its reservation.
CREATE INDEX reservations_receipt ON reservations (store_id, transaction_id) WHERE transaction_id <> '';
