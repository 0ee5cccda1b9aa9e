-- +goose Up

-- Birthdays of active customers, with or without their agreement to marketing.
DROP INDEX customers_birthday;
CREATE INDEX customers_birthday ON customers (store_id, SUBSTR(birth_date, 6, 5), customer_id)
    WHERE status = 'active' AND birth_date <> '';
