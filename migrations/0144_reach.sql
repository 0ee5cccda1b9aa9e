-- +goose Up

-- Where the buttons, pictures and rewards of e-mails lead. A link names the recipient and the target, which stays as it
-- was when the message was queued.
CREATE TABLE marketing_targets (
    store_id  BIGINT NOT NULL,
    source_id TEXT   NOT NULL, -- the mailing or the journey
    target_id TEXT   NOT NULL, -- made of the target
    target    TEXT   NOT NULL, -- URL
    PRIMARY KEY (store_id, source_id, target_id)
) WITHOUT ROWID;
