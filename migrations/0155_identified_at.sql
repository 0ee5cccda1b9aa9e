-- +goose Up

-- When the identity provider at which a session began has asked its user who they are; NULL if it did not say so.
ALTER TABLE sessions ADD COLUMN identified_at BIGINT;
