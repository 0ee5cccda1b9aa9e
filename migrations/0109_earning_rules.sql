-- +goose Up

-- Earning rules. They can be deactivated, but not deleted.
CREATE TABLE earning_rules (
    store_id    BIGINT  NOT NULL,
    rule_id     TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL,
    description TEXT    NOT NULL,
    active      BOOLEAN NOT NULL,
    all_time    BOOLEAN NOT NULL,
    start_at    BIGINT,
    end_at      BIGINT,
    event_name  TEXT    NOT NULL, -- for the types event, custom_event and referral
    created_at  BIGINT  NOT NULL,
    definition  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (store_id, rule_id)
) WITHOUT ROWID;
CREATE INDEX earning_rules_active ON earning_rules (store_id, type, rule_id) WHERE active = TRUE;         -- to apply
CREATE INDEX earning_rules_event ON earning_rules (store_id, event_name) WHERE type = 'custom_event';     -- name taken

-- Uses of earning rules that can have a limit.
CREATE TABLE earning_uses (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    rule_id     TEXT   NOT NULL,
    use_id      TEXT   NOT NULL,
    used_at     BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, rule_id, use_id)
) WITHOUT ROWID;
CREATE INDEX earning_uses_newest ON earning_uses (store_id, rule_id, use_id); -- uses of a rule, newest first

-- Events that happen once for each customer, such as the first purchase, and have happened.
CREATE TABLE earning_once (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    event_name  TEXT   NOT NULL,
    happened_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, event_name)
) WITHOUT ROWID;
