-- +goose Up

-- Groups of customers by rules. A membership counts from one generation of its segment until another, so that
-- raising the generation replaces all members in one step.
CREATE TABLE segments (
    store_id    BIGINT  NOT NULL,
    segment_id  TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL, -- as filters compare it
    description TEXT    NOT NULL,
    active      BOOLEAN NOT NULL,
    open        BOOLEAN NOT NULL, -- active, and its members are worked out
    deleted     BOOLEAN NOT NULL, -- until its last membership is gone
    created_at  BIGINT  NOT NULL,
    version     BIGINT  NOT NULL, -- grows when the members must be worked out anew
    generation  BIGINT  NOT NULL,
    basis       TEXT    NOT NULL, -- what the present members were worked out by
    next_basis  TEXT    NOT NULL, -- the same of those of the next generation
    parts       TEXT    NOT NULL,
    PRIMARY KEY (store_id, segment_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX segments_name ON segments (store_id, name) WHERE NOT deleted;

-- Who is in a segment in the generations since … until; transactions and amount are what he adds to its figures.
CREATE TABLE segment_members (
    store_id     BIGINT NOT NULL,
    customer_id  TEXT   NOT NULL,
    segment_id   TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    until        BIGINT,
    transactions BIGINT NOT NULL,
    amount       BIGINT NOT NULL, -- hundredths
    PRIMARY KEY (store_id, customer_id, segment_id)
) WITHOUT ROWID;
CREATE INDEX segment_members_segment ON segment_members (store_id, segment_id, customer_id);
CREATE INDEX segment_members_ended ON segment_members (store_id, segment_id, until) WHERE until IS NOT NULL;

-- How many are in a segment, and what they bought, now and in the next generation, in a few rows, so that
-- tills do not wait for each other.
CREATE TABLE segment_figures (
    store_id          BIGINT NOT NULL,
    segment_id        TEXT   NOT NULL,
    shard             BIGINT NOT NULL,
    members           BIGINT NOT NULL,
    transactions      BIGINT NOT NULL,
    amount            BIGINT NOT NULL, -- hundredths
    next_members      BIGINT NOT NULL,
    next_transactions BIGINT NOT NULL,
    next_amount       BIGINT NOT NULL,
    PRIMARY KEY (store_id, segment_id, shard)
) WITHOUT ROWID;

-- The customers that criteria of the type customer_list name.
CREATE TABLE segment_lists (
    store_id     BIGINT NOT NULL,
    customer_id  TEXT   NOT NULL,
    criterion_id TEXT   NOT NULL,
    segment_id   TEXT   NOT NULL,
    position     BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, criterion_id)
) WITHOUT ROWID;
CREATE INDEX segment_lists_segment ON segment_lists (store_id, segment_id, position);
