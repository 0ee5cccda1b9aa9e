-- +goose Up

-- How often a refresh token was used: there is a limit within the time in which it may be used again.
ALTER TABLE refresh_tokens ADD COLUMN uses BIGINT NOT NULL DEFAULT 0;

-- Codes of the authenticator app that were tried since the last right one, and when the first of them was.
ALTER TABLE factor_totps ADD COLUMN tries BIGINT NOT NULL DEFAULT 0;
ALTER TABLE factor_totps ADD COLUMN tried_at BIGINT;
