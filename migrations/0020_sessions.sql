-- +goose Up

-- A session is a log-in with all the tokens that come from it. When it ends, they end.
CREATE TABLE sessions (
    session_id   TEXT   NOT NULL PRIMARY KEY,
    role         TEXT   NOT NULL,
    user_id      TEXT   NOT NULL,
    store_id     BIGINT NOT NULL, -- 0 for administrators
    network      BIGINT NOT NULL, -- 16 bits of a hash of the user and the client's network; -1 if unknown
    access_until BIGINT NOT NULL, -- its last access token has expired by then
    expires_at   BIGINT NOT NULL, -- its last token of either kind has expired by then
    ended_at     BIGINT           -- NULL unless it was ended early
);
CREATE INDEX sessions_user ON sessions (user_id, network);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_ended ON sessions (access_until) WHERE ended_at IS NOT NULL;

-- Each refresh token from before becomes a session of its own.
INSERT INTO sessions (session_id, role, user_id, store_id, network, access_until, expires_at)
SELECT substr(token_hash, 1, 32), role, user_id, store_id, -1, created_at, expires_at FROM refresh_tokens;

DROP INDEX refresh_tokens_user;
ALTER TABLE refresh_tokens ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
ALTER TABLE refresh_tokens ADD COLUMN used_at BIGINT; -- of its first use; the row stays to notice a later one
UPDATE refresh_tokens SET session_id = substr(token_hash, 1, 32);
ALTER TABLE refresh_tokens DROP COLUMN role;
ALTER TABLE refresh_tokens DROP COLUMN user_id;
ALTER TABLE refresh_tokens DROP COLUMN store_id;
ALTER TABLE refresh_tokens DROP COLUMN created_at;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
