-- +goose Up

-- What administrators see of a job: last_run_at is when its last run began.
ALTER TABLE jobs ADD COLUMN last_end_at BIGINT;
ALTER TABLE jobs ADD COLUMN last_node TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN began_at BIGINT; -- of the run that is going on
