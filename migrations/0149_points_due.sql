-- +goose Up

-- Points issued, by the day on which what is left of them expires: the share of them that expires is the breakage.
ALTER TABLE daily_sums ADD COLUMN points_due BIGINT NOT NULL DEFAULT 0;

-- The job computes the new sums.
UPDATE rollups SET settled = FALSE;
