-- +goose Up

-- The groups that campaigns are shown in: a shop has tens of them.
CREATE TABLE categories (
    store_id     BIGINT  NOT NULL,
    category_id  TEXT    NOT NULL,
    active       BOOLEAN NOT NULL,
    sort_order   BIGINT  NOT NULL,
    translations TEXT    NOT NULL,
    PRIMARY KEY (store_id, category_id)
) WITHOUT ROWID;

-- What campaigns are found by.
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
    PRIMARY KEY (store_id, locale, campaign_id)
) WITHOUT ROWID;

-- Photos and brand icons; which it is, its name and type stand in the campaign's definition.
CREATE TABLE campaign_images (
    store_id    BIGINT NOT NULL,
    campaign_id TEXT   NOT NULL,
    image_id    TEXT   NOT NULL,
--sqlite:     content BLOB NOT NULL,
--postgres:     content BYTEA NOT NULL,
    PRIMARY KEY (store_id, campaign_id, image_id)
);

-- What campaigns are filtered and sorted by moves out of the definition, and in front of it: SQLite reads
-- through a long text to what stands behind it.
CREATE TABLE campaigns_new (
    store_id         BIGINT  NOT NULL,
    campaign_id      TEXT    NOT NULL,
    version          BIGINT  NOT NULL, -- grows with every change of the definition
    reward           TEXT    NOT NULL,
    active           BOOLEAN NOT NULL,
    featured         BOOLEAN NOT NULL,
    is_public        BOOLEAN NOT NULL,
    for_segments     BOOLEAN NOT NULL, -- at least one is a target
    cost             BIGINT  NOT NULL, -- hundredths of a point
    unlimited        BOOLEAN NOT NULL,
    single_coupon    BOOLEAN NOT NULL,
    usage_limit      BIGINT  NOT NULL,
    limit_per_user   BIGINT  NOT NULL,
    days_inactive    BIGINT  NOT NULL,
    days_valid       BIGINT  NOT NULL,
    all_time_active  BOOLEAN NOT NULL,
    active_from      BIGINT,
    active_to        BIGINT,
    all_time_visible BOOLEAN NOT NULL,
    visible_from     BIGINT,
    visible_to       BIGINT,
    created_at       BIGINT  NOT NULL,
    point_value      BIGINT  NOT NULL, -- hundredths
    percentage       BIGINT  NOT NULL,
    reward_value     BIGINT,           -- hundredths
    tax              BIGINT,           -- percent
    tax_price        BIGINT,           -- hundredths
    fulfillment_tracking BOOLEAN NOT NULL,
    connect_type     TEXT    NOT NULL,
    earning_rule_id  TEXT    NOT NULL,
    link             TEXT    NOT NULL,
    push_text        TEXT    NOT NULL,
    definition       TEXT    NOT NULL,
    PRIMARY KEY (store_id, campaign_id)
) WITHOUT ROWID;
INSERT INTO campaigns_new SELECT
    store_id, campaign_id, version, reward, active, featured, is_public,
--sqlite:     COALESCE(json_array_length(definition, '$.segments'), 0) > 0,
--postgres:     COALESCE(CAST(definition AS JSONB) -> 'segments', '[]') NOT IN ('[]', 'null'),
    cost, unlimited, single_coupon, usage_limit, limit_per_user, days_inactive, days_valid,
    all_time_active, active_from, active_to, all_time_visible, visible_from, visible_to, created_at,
--sqlite:     CAST(ROUND(COALESCE(definition ->> '$.pointValue', 0) * 100) AS INTEGER),
--sqlite:     COALESCE(definition ->> '$.transactionPercentageValue', 0),
--sqlite:     CAST(ROUND((definition ->> '$.rewardValue') * 100) AS INTEGER),
--sqlite:     definition ->> '$.tax',
--sqlite:     CAST(ROUND((definition ->> '$.taxPriceValue') * 100) AS INTEGER),
--sqlite:     COALESCE(definition ->> '$.fulfillmentTracking', FALSE),
--sqlite:     COALESCE(definition ->> '$.connectType', ''),
--sqlite:     COALESCE(definition ->> '$.earningRuleId', ''),
--sqlite:     COALESCE(definition ->> '$.moreInformationLink', ''),
--sqlite:     COALESCE(definition ->> '$.pushNotificationText', ''),
--postgres:     COALESCE(CAST(CAST(definition AS JSONB) ->> 'pointValue' AS NUMERIC), 0) * 100,
--postgres:     COALESCE(CAST(CAST(definition AS JSONB) ->> 'transactionPercentageValue' AS BIGINT), 0),
--postgres:     CAST(CAST(definition AS JSONB) ->> 'rewardValue' AS NUMERIC) * 100,
--postgres:     CAST(CAST(definition AS JSONB) ->> 'tax' AS BIGINT),
--postgres:     CAST(CAST(definition AS JSONB) ->> 'taxPriceValue' AS NUMERIC) * 100,
--postgres:     COALESCE(CAST(CAST(definition AS JSONB) ->> 'fulfillmentTracking' AS BOOLEAN), FALSE),
--postgres:     COALESCE(CAST(definition AS JSONB) ->> 'connectType', ''),
--postgres:     COALESCE(CAST(definition AS JSONB) ->> 'earningRuleId', ''),
--postgres:     COALESCE(CAST(definition AS JSONB) ->> 'moreInformationLink', ''),
--postgres:     COALESCE(CAST(definition AS JSONB) ->> 'pushNotificationText', ''),
    definition FROM campaigns;
DROP TABLE campaigns;
ALTER TABLE campaigns_new RENAME TO campaigns;
CREATE INDEX campaigns_active ON campaigns (store_id, active, campaign_id) WHERE active = TRUE;
CREATE INDEX campaigns_public ON campaigns (store_id, is_public, active, campaign_id);

--sqlite: INSERT INTO campaign_categories (store_id, category_id, campaign_id)
--sqlite:     SELECT DISTINCT c.store_id, unhex(replace(g.value, '-', '')), c.campaign_id
--sqlite:     FROM campaigns c, json_each(c.definition, '$.categories') g WHERE g.type = 'text';
--sqlite: INSERT INTO campaign_labels (store_id, label_key, label_value, campaign_id)
--sqlite:     SELECT DISTINCT c.store_id, l.value ->> '$.key', l.value ->> '$.value', c.campaign_id
--sqlite:     FROM campaigns c, json_each(c.definition, '$.labels') l
--sqlite:     WHERE l.type = 'object' AND length(l.value ->> '$.key') < 256 AND length(l.value ->> '$.value') < 256;
--sqlite: INSERT INTO campaign_names (store_id, locale, campaign_id, name)
--sqlite:     SELECT c.store_id, t.value ->> '$.locale', c.campaign_id, t.value ->> '$.name'
--sqlite:     FROM campaigns c, json_each(c.definition, '$.translations') t
--sqlite:     WHERE t.type = 'object' AND t.value ->> '$.name' <> '';
--postgres: INSERT INTO campaign_categories (store_id, category_id, campaign_id)
--postgres:     SELECT DISTINCT c.store_id, g.value #>> '{}', c.campaign_id FROM campaigns c,
--postgres:     jsonb_path_query(CAST(c.definition AS JSONB), '$.categories[*] ? (@ <> null)') g (value);
--postgres: INSERT INTO campaign_labels (store_id, label_key, label_value, campaign_id)
--postgres:     SELECT DISTINCT c.store_id, l.value ->> 'key', l.value ->> 'value', c.campaign_id FROM campaigns c,
--postgres:     jsonb_path_query(CAST(c.definition AS JSONB), '$.labels[*] ? (@ <> null)') l (value)
--postgres:     WHERE length(l.value ->> 'key') < 256 AND length(l.value ->> 'value') < 256;
--postgres: INSERT INTO campaign_names (store_id, locale, campaign_id, name)
--postgres:     SELECT c.store_id, t.value ->> 'locale', c.campaign_id, t.value ->> 'name' FROM campaigns c,
--postgres:     jsonb_path_query(CAST(c.definition AS JSONB), '$.translations[*] ? (@.name <> "")') t (value);

-- Of a single coupon only the first code is ever sold: the others take positions below zero, as copies do.
UPDATE campaign_codes SET position = -1000000000 - list_number WHERE position > 1 AND EXISTS (
    SELECT 1 FROM campaigns c WHERE c.store_id = campaign_codes.store_id
    AND c.campaign_id = campaign_codes.campaign_id AND c.single_coupon);
