-- +goose Up

-- Whether somebody made sure that the e-mail address or phone is the customer's. What a store knows already counts as
-- verified, so that receipts go on finding their customers.
ALTER TABLE customers ADD COLUMN email_verified BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE customers ADD COLUMN phone_verified BOOLEAN NOT NULL DEFAULT TRUE;
