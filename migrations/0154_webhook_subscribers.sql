-- +goose Up

-- Who made or last replaced a subscription: events are sent as far as they may see them at the time of the call, and no
-- longer when they may not. Empty for the master key, and for subscriptions from before, which get all until replaced.
ALTER TABLE webhook_subscriptions ADD COLUMN subscriber_id TEXT NOT NULL DEFAULT ''; -- an administrator, or an API key
