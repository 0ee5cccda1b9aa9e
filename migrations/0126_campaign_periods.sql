-- +goose Up

-- The period in which limit_per_user counts, such as month; empty for all time.
ALTER TABLE campaigns ADD COLUMN limit_period TEXT NOT NULL DEFAULT '';
-- When the campaign was archived, if it is.
ALTER TABLE campaigns ADD COLUMN archived_at BIGINT;
