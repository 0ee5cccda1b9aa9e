-- +goose Up

-- Points that people have moved by hand without a second factor that they have: docs/behaviour/second-factor.md. Rows are
-- deleted when the person moves points again a day later, and with the factors.
CREATE TABLE factor_points (
    store_id   BIGINT NOT NULL, -- 0 for administrators
    user_id    TEXT   NOT NULL,
    hour       BIGINT NOT NULL, -- since 1970
    hundredths BIGINT NOT NULL, -- of points, in that hour
    PRIMARY KEY (store_id, user_id, hour)
) WITHOUT ROWID;
