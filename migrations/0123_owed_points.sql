-- +goose Up

-- What each store owed its customers in points when that was last summed up.
CREATE TABLE owed_points (
    store_id    BIGINT NOT NULL PRIMARY KEY,
    computed_at BIGINT NOT NULL, -- by the clock of the store
    report      TEXT   NOT NULL  -- JSON: sums by month of expiry and by level
);
