-- +goose Up

-- Which programs may use the schema, in its only row. A release that changes the schema sets both versions in its last
-- migration: its own, and that of the release before, which must still work with the schema.
CREATE TABLE schema_programs (
    id      BIGINT NOT NULL PRIMARY KEY,
    made_by TEXT   NOT NULL, -- version of the program that this is the schema of
    oldest  TEXT   NOT NULL  -- the oldest version that may use it
);

INSERT INTO schema_programs (id, made_by, oldest) VALUES (1, '0.9.0', '0.9.0');
