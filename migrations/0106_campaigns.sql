-- +goose Up

-- Campaigns. Columns that lists filter and sort by stand before the definition, because SQLite reads through a long text
-- to the columns after it.
CREATE TABLE campaigns (
    store_id         BIGINT  NOT NULL,
    campaign_id      TEXT    NOT NULL,
    version          BIGINT  NOT NULL, -- incremented by every change
    reward           TEXT    NOT NULL, -- reward type
    active           BOOLEAN NOT NULL,
    featured         BOOLEAN NOT NULL,
    is_public        BOOLEAN NOT NULL,
    for_segments     BOOLEAN NOT NULL, -- targets at least one segment
    cost             BIGINT  NOT NULL, -- points
    unlimited        BOOLEAN NOT NULL,
    single_coupon    BOOLEAN NOT NULL, -- all customers get the same code
    usage_limit      BIGINT  NOT NULL,
    limit_per_user   BIGINT  NOT NULL,
    days_inactive    BIGINT  NOT NULL, -- days until a coupon can be used
    days_valid       BIGINT  NOT NULL, -- days in which a coupon can be used
    all_time_active  BOOLEAN NOT NULL,
    active_from      BIGINT,
    active_to        BIGINT,
    all_time_visible BOOLEAN NOT NULL,
    visible_from     BIGINT,
    visible_to       BIGINT,
    created_at       BIGINT  NOT NULL,
    point_value      BIGINT  NOT NULL, -- money for one point
    percentage       BIGINT  NOT NULL, -- percent, whole ones
    reward_value     BIGINT,
    tax              BIGINT,           -- percent, whole ones
    tax_price        BIGINT,
    fulfillment_tracking BOOLEAN NOT NULL,
    connect_type     TEXT    NOT NULL,
    earning_rule_id  TEXT    NOT NULL,
    link             TEXT    NOT NULL,
    push_text        TEXT    NOT NULL,
    definition       TEXT    NOT NULL, -- JSON: all that is not in a column
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
CREATE INDEX campaigns_active ON campaigns (store_id, active, campaign_id) WHERE active = TRUE;  -- campaigns to offer
CREATE INDEX campaigns_public ON campaigns (store_id, is_public, active, campaign_id);           -- the public list

-- Campaigns by the levels and segments that they target.
CREATE TABLE campaign_targets (
    store_id    BIGINT NOT NULL,
    target_id   TEXT   NOT NULL, -- a level or a segment
    campaign_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, target_id, campaign_id)
) WITHOUT ROWID;

-- Counters of campaigns. Every purchase and every change of a campaign locks this narrow row.
CREATE TABLE campaign_counters (
    store_id      BIGINT NOT NULL,
    campaign_id   TEXT   NOT NULL,
    version       BIGINT NOT NULL, -- of the campaign
    sold          BIGINT NOT NULL,
    customers     BIGINT NOT NULL, -- number of customers who bought
    next_position BIGINT NOT NULL, -- position of the next purchase
    last_position BIGINT NOT NULL, -- position of the last code; next_position - 1 if all are sold
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
--postgres: ALTER TABLE campaign_counters SET (fillfactor = 20);

-- Codes of campaigns, which are sold by position. Codes that are shown but never sold have negative positions: further
-- copies of a code, and all codes of a single-coupon campaign but the first.
CREATE TABLE campaign_codes (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    position    BIGINT NOT NULL,
    list_number BIGINT NOT NULL, -- place in the list of the client
    code        TEXT   NOT NULL,
    loose       TEXT   NOT NULL, -- the code without what people get wrong when they type it
    PRIMARY KEY (store_id, campaign_id, position)
) WITHOUT ROWID;
CREATE INDEX campaign_codes_code ON campaign_codes (store_id, code, campaign_id) WHERE position > 0; -- codes that are scanned or added
CREATE INDEX campaign_codes_loose ON campaign_codes (store_id, loose, code) WHERE position > 0; -- codes that are typed

-- Batches of random codes, which are added in steps.
CREATE TABLE campaign_code_batches (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    batch_id    TEXT   NOT NULL,
    state       TEXT   NOT NULL, -- running, finished, stopped
    prefix      TEXT   NOT NULL,
    length      BIGINT NOT NULL, -- random characters of a code
    requested   BIGINT NOT NULL, -- codes
    added       BIGINT NOT NULL, -- codes so far
    created_at  BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (store_id, campaign_id, batch_id)
) WITHOUT ROWID;
CREATE INDEX campaign_code_batches_running ON campaign_code_batches (store_id, batch_id) WHERE state = 'running'; -- the job

-- Categories of campaigns.
CREATE TABLE categories (
    store_id     BIGINT  NOT NULL,
    category_id  TEXT    NOT NULL,
    active       BOOLEAN NOT NULL,
    sort_order   BIGINT  NOT NULL,
    translations TEXT    NOT NULL, -- JSON
    PRIMARY KEY (store_id, category_id)
) WITHOUT ROWID;

-- Campaigns by category, by label and by name, for the filters of lists.
CREATE TABLE campaign_categories (
    store_id    BIGINT NOT NULL,
    category_id TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, category_id, campaign_id)
) WITHOUT ROWID;

CREATE TABLE campaign_labels (
    store_id    BIGINT NOT NULL,
    label_key   TEXT   NOT NULL,
    label_value TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    PRIMARY KEY (store_id, label_key, label_value, campaign_id)
) WITHOUT ROWID;

CREATE TABLE campaign_names (
    store_id    BIGINT NOT NULL,
    locale      TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    name_order  TEXT   NOT NULL, -- without case and accents: the order of lists
    PRIMARY KEY (store_id, locale, campaign_id)
) WITHOUT ROWID;

-- Photos and brand icons. The definition of the campaign has their names and media types.
CREATE TABLE campaign_images (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    image_id    TEXT   NOT NULL,
--sqlite:     content     BLOB   NOT NULL,
--postgres:     content     BYTEA  NOT NULL,
    PRIMARY KEY (store_id, campaign_id, image_id)
);
