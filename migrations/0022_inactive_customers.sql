-- +goose Up

ALTER TABLE customers ADD COLUMN inactive_since BIGINT; -- when the status became blocked or deleted
CREATE INDEX customers_inactive ON customers (inactive_since) WHERE inactive_since IS NOT NULL;
DROP INDEX customers_anonymized;
