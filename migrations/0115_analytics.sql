-- +goose Up

-- Sums of a store by day in the time zone of the store. Concurrent transactions add to different rows. Each sum belongs
-- to the day of what it counts: a grant that is cancelled later is missing on the day of the grant.
CREATE TABLE daily_sums (
    store_id        BIGINT NOT NULL,
    day             BIGINT NOT NULL, -- days since 1970-01-01
    shard           BIGINT NOT NULL,
    points_issued   BIGINT NOT NULL,
    points_spent    BIGINT NOT NULL,
    points_expired  BIGINT NOT NULL,
    points_pending  BIGINT NOT NULL, -- by the day on which they unlock
    spends          BIGINT NOT NULL, -- number of transfers
    coupons_bought  BIGINT NOT NULL,
    coupons_used    BIGINT NOT NULL,
    customers       BIGINT NOT NULL, -- registered on the day, and not deleted
    receipts        BIGINT NOT NULL, -- sales that are not completely returned
    sales           BIGINT NOT NULL, -- money, less returns
    sales_without_delivery   BIGINT NOT NULL,
    matched_receipts         BIGINT NOT NULL, -- the same of receipts with a customer
    matched_sales            BIGINT NOT NULL,
    matched_without_delivery BIGINT NOT NULL,
    PRIMARY KEY (store_id, day, shard)
) WITHOUT ROWID;
--postgres: ALTER TABLE daily_sums SET (fillfactor = 50);

-- Customers who were active on a day, by the day on which they were active before, 0 if never. The customers of a period
-- are those whose earlier day lies before it, so nobody is counted twice.
CREATE TABLE active_days (
    store_id     BIGINT NOT NULL,
    day          BIGINT NOT NULL,
    previous_day BIGINT NOT NULL,
    customers    BIGINT NOT NULL,
    PRIMARY KEY (store_id, day, previous_day)
) WITHOUT ROWID;
--postgres: ALTER TABLE active_days SET (fillfactor = 50);

-- The last day on which a customer was active; 0 for never, and -1 until a job has found it in the rows of a database
-- that is older than this column.
ALTER TABLE accounts ADD COLUMN active_day BIGINT NOT NULL DEFAULT -1;

-- Coupons of a campaign by day. Those of the last day with a sale are in the counters, so that a sale writes no other
-- row; the first sale of the next day adds them here.
CREATE TABLE campaign_days (
    store_id    BIGINT NOT NULL,
    day         BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    bought      BIGINT NOT NULL,
    PRIMARY KEY (store_id, day, campaign_id)
) WITHOUT ROWID;
ALTER TABLE campaign_counters ADD COLUMN last_day BIGINT NOT NULL DEFAULT 0;        -- the last day with a sale
ALTER TABLE campaign_counters ADD COLUMN sold_on_last_day BIGINT NOT NULL DEFAULT 0;

-- Used coupons of a campaign by the day of the use. Concurrent transactions add to different rows.
CREATE TABLE campaign_uses (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    day         BIGINT NOT NULL,
    shard       BIGINT NOT NULL,
    used        BIGINT NOT NULL,
    PRIMARY KEY (store_id, campaign_id, day, shard)
) WITHOUT ROWID;
--postgres: ALTER TABLE campaign_uses SET (fillfactor = 50);

-- The state of the sums of each store. A store without a row, or whose time zone is another one, is recomputed.
CREATE TABLE rollups (
    store_id     BIGINT  NOT NULL PRIMARY KEY,
    zone         TEXT    NOT NULL, -- of the days
    settled      BOOLEAN NOT NULL, -- no writer used another zone after the sums were computed
    corrections  BIGINT  NOT NULL, -- how often the sums were corrected
    active_after TEXT    NOT NULL, -- the last customer whose active day was found
    merged_until BIGINT  NOT NULL DEFAULT 0 -- the day until which the sums were merged last
) WITHOUT ROWID;
