-- +goose Up
-- The number of customers who were ever notified of a campaign has the name that the code gives it.
ALTER TABLE announcements RENAME COLUMN told TO notified;
