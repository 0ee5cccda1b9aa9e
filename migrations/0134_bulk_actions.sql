-- +goose Up

-- What administrators do to many customers at once.
CREATE TABLE bulk_actions (
    store_id    BIGINT NOT NULL,
    action_id   TEXT   NOT NULL,
    kind        TEXT   NOT NULL, -- addLabel, removeLabel, givePoints, takePoints, addToSegment
    state       TEXT   NOT NULL, -- running, finished, stopped, undoing, undone
    details     TEXT   NOT NULL, -- JSON: the label, the points or the segment
    selection   TEXT   NOT NULL, -- JSON: customers or a filter; empty once the action has ended
    total       BIGINT NOT NULL, -- customers when the action began
    after_id    TEXT   NOT NULL, -- the last customer who was visited, or whose part was undone
    visited     BIGINT NOT NULL,
    changed     BIGINT NOT NULL,
    undone      BIGINT NOT NULL,
    remaining   BIGINT NOT NULL, -- changed ones that undoing has left, or could not undo as a whole
    created_by  TEXT   NOT NULL, -- JSON: id and name
    created_at  BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (store_id, action_id)
) WITHOUT ROWID;
CREATE INDEX bulk_actions_open ON bulk_actions (store_id, action_id) WHERE state IN ('running', 'undoing'); -- the job

-- What an action did to each customer.
CREATE TABLE bulk_effects (
    store_id    BIGINT NOT NULL,
    action_id   TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,
    result      TEXT   NOT NULL, -- done, or why nothing was done
    transfer_id TEXT   NOT NULL, -- of points
    outcome     TEXT   NOT NULL, -- of undoing; empty before
    PRIMARY KEY (store_id, action_id, customer_id)
) WITHOUT ROWID;
CREATE INDEX bulk_effects_left ON bulk_effects (store_id, action_id, customer_id)
    WHERE result <> 'done' OR outcome NOT IN ('', 'undone'); -- customers whom an action or its undoing has left

-- The period in which the limit of all customers counts, such as month; empty for all time.
ALTER TABLE campaigns ADD COLUMN total_limit_period TEXT NOT NULL DEFAULT '';
CREATE INDEX campaign_days_campaign ON campaign_days (store_id, campaign_id, day, bought); -- what the limit counts
