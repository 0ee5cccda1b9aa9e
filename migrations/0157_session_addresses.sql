-- +goose Up

-- From which the log-in or the last refresh of a session came, so that its user can recognize it; empty if not known.
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
