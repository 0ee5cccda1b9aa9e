-- +goose Up

-- Reports that go through all customers or coupons of a store in the background.
CREATE TABLE reports (
    store_id    BIGINT NOT NULL,
    report_id   TEXT   NOT NULL,
    kind        TEXT   NOT NULL, -- customers, rewards
    from_day    BIGINT NOT NULL, -- days since 1970-01-01 in the time zone of the store
    to_day      BIGINT NOT NULL,
    state       TEXT   NOT NULL, -- waiting, running, finished, cancelled
    rows_read   BIGINT NOT NULL,
    rows_total  BIGINT NOT NULL, -- an estimate
    position    TEXT   NOT NULL, -- the last customer or coupon that was read
    sums        TEXT   NOT NULL, -- JSON: what was found so far
    created_by  TEXT   NOT NULL, -- JSON: id and name
    created_at  BIGINT NOT NULL,
    finished_at BIGINT,
    owner       TEXT   NOT NULL, -- the run that holds the report until lease_until
    lease_until BIGINT,
    PRIMARY KEY (store_id, report_id)
) WITHOUT ROWID;
