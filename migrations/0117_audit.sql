-- +goose Up

-- The audit log: who changed what, when and from where, and who looked at the data of a customer. Entries are written in
-- the transaction of the change and never changed, but for personal data that is erased.
CREATE TABLE audit_entries (
    audit_id    TEXT   NOT NULL PRIMARY KEY, -- of a purchase: its first coupon
    store_id    BIGINT NOT NULL,             -- 0 for what belongs to no store
    created_at  BIGINT NOT NULL,             -- by the clock of the server
    event_type  TEXT   NOT NULL,
    entity_type TEXT   NOT NULL,             -- empty for purchases, which have one event type
    entity_id   TEXT   NOT NULL,
    customer_id TEXT   NOT NULL,             -- whom the entry is about; empty for their own purchases
    user_type   TEXT   NOT NULL,             -- admin, seller or customer; empty for a call without credentials
    user_id     TEXT   NOT NULL,
    username    TEXT   NOT NULL,             -- empty for purchases by customers
    ip          TEXT   NOT NULL,
    data        TEXT   NOT NULL              -- JSON
) WITHOUT ROWID;
CREATE INDEX audit_entries_created ON audit_entries (created_at, audit_id);
CREATE INDEX audit_entries_event ON audit_entries (event_type, created_at, audit_id);
CREATE INDEX audit_entries_entity ON audit_entries (entity_id, created_at, audit_id) WHERE entity_id <> '';
CREATE INDEX audit_entries_entity_type ON audit_entries (entity_type, created_at, audit_id) WHERE entity_type <> '';
CREATE INDEX audit_entries_username ON audit_entries (username, created_at, audit_id) WHERE username <> '';
CREATE INDEX audit_entries_customer ON audit_entries (customer_id, created_at, audit_id) WHERE customer_id <> '';

-- Archives of the audit log. Each holds the entries before its time, and not before that of the archive before it.
CREATE TABLE audit_archives (
    before_at  BIGINT NOT NULL PRIMARY KEY,
    filename   TEXT   NOT NULL,
    entries    BIGINT NOT NULL, -- when it was made
    created_at BIGINT NOT NULL
) WITHOUT ROWID;
