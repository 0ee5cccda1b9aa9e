-- +goose Up

-- Segments of customers. A membership counts from one generation of its segment until another, so that incrementing the
-- generation replaces all members at once.
CREATE TABLE segments (
    store_id    BIGINT  NOT NULL,
    segment_id  TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL,
    name_order  TEXT    NOT NULL, -- without case and accents: the order of lists
    description TEXT    NOT NULL,
    active      BOOLEAN NOT NULL,
    open        BOOLEAN NOT NULL, -- active, and its members are computed
    deleted     BOOLEAN NOT NULL, -- the row stays until the last membership is deleted
    created_at  BIGINT  NOT NULL,
    version     BIGINT  NOT NULL, -- incremented when the members must be computed again
    generation  BIGINT  NOT NULL,
    basis       TEXT    NOT NULL, -- what the current members were computed from
    next_basis  TEXT    NOT NULL, -- what the members of the next generation are computed from
    parts       TEXT    NOT NULL, -- JSON: the criteria
    PRIMARY KEY (store_id, segment_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX segments_name ON segments (store_id, name) WHERE NOT deleted;

-- Members of segments. transactions and amount are what the customer adds to the totals of the segment.
CREATE TABLE segment_members (
    store_id     BIGINT NOT NULL,
    customer_id  TEXT   NOT NULL,
    segment_id   TEXT   NOT NULL,
    since        BIGINT NOT NULL, -- first generation
    until        BIGINT,          -- first generation without the customer
    transactions BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, segment_id)
) WITHOUT ROWID;
CREATE INDEX segment_members_segment ON segment_members (store_id, segment_id, customer_id); -- members of a segment
CREATE INDEX segment_members_ended ON segment_members (store_id, segment_id, until) WHERE until IS NOT NULL; -- to delete

-- Totals of a segment, now and in the next generation, in a few shards, so that receipts do not wait for each other.
CREATE TABLE segment_figures (
    store_id          BIGINT NOT NULL,
    segment_id        TEXT   NOT NULL,
    shard             BIGINT NOT NULL,
    members           BIGINT NOT NULL,
    transactions      BIGINT NOT NULL,
    amount            BIGINT NOT NULL,
    next_members      BIGINT NOT NULL,
    next_transactions BIGINT NOT NULL,
    next_amount       BIGINT NOT NULL,
    PRIMARY KEY (store_id, segment_id, shard)
) WITHOUT ROWID;

-- Customers in criteria of the type customer_list.
CREATE TABLE segment_lists (
    store_id     BIGINT NOT NULL,
    customer_id  TEXT   NOT NULL,
    criterion_id TEXT   NOT NULL,
    segment_id   TEXT   NOT NULL,
    position     BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id, criterion_id)
) WITHOUT ROWID;
CREATE INDEX segment_lists_segment ON segment_lists (store_id, segment_id, position); -- the lists of a segment
