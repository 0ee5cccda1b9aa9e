-- +goose Up

-- What lists of customers filter by, as compared: lower case, trimmed.
ALTER TABLE customers ADD COLUMN first_name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE customers ADD COLUMN last_name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE customers ADD COLUMN city_key TEXT NOT NULL DEFAULT '';
ALTER TABLE customers ADD COLUMN postal_key TEXT NOT NULL DEFAULT '';
-- The part of amount_excluded_for_level that is delivery too.
ALTER TABLE customers ADD COLUMN amount_excluded_delivery BIGINT NOT NULL DEFAULT 0;
-- What returns took of his points, which then count for no level; hundredths.
ALTER TABLE customers ADD COLUMN points_taken_back BIGINT NOT NULL DEFAULT 0;

UPDATE customers SET
--sqlite:     city_key = LOWER(TRIM(COALESCE(json_extract(address, '$.city'), ''))),
--sqlite:     postal_key = LOWER(TRIM(COALESCE(json_extract(address, '$.postal'), ''))),
--postgres:     city_key = LOWER(TRIM(COALESCE(CAST(address AS JSON) ->> 'city', ''))),
--postgres:     postal_key = LOWER(TRIM(COALESCE(CAST(address AS JSON) ->> 'postal', ''))),
    first_name_key = LOWER(TRIM(first_name)), last_name_key = LOWER(TRIM(last_name));

CREATE INDEX customers_first_name ON customers (store_id, first_name_key, customer_id) WHERE status <> 'deleted';
CREATE INDEX customers_last_name ON customers (store_id, last_name_key, customer_id) WHERE status <> 'deleted';
CREATE INDEX customers_created ON customers (store_id, created_at) WHERE status <> 'deleted';
-- Who is due for the level check that comes some days after the last one.
CREATE INDEX customers_level_check ON customers (store_id, COALESCE(level_recalculated_at, created_at))
    WHERE status = 'active';
