-- +goose Up

-- How many notifications a call of the gateway for them has; 0 for messages. These calls are messages in the queue
-- notifications; notification_pushes is for nodes of the release before.
ALTER TABLE messages ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
