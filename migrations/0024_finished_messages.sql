-- +goose Up
-- When a message to a payment provider was accepted, given up, or no longer needed.
ALTER TABLE cashback_messages ADD COLUMN finished_at BIGINT;
UPDATE cashback_messages SET finished_at = COALESCE(attempted_at, created_at) WHERE due_at IS NULL;
