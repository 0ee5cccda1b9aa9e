-- +goose Up

ALTER TABLE imports ADD COLUMN undone BIGINT NOT NULL DEFAULT 0; -- records that were undone
ALTER TABLE imports ADD COLUMN remaining BIGINT NOT NULL DEFAULT 0;   -- records that could not be, or not as a whole
CREATE INDEX imports_undoing ON imports (store_id, import_id) WHERE state = 'undoing';

-- What the records of an import made or changed, so that it can be undone.
CREATE TABLE import_effects (
    store_id  BIGINT NOT NULL,
    import_id TEXT   NOT NULL,
    record    BIGINT NOT NULL, -- number in the file, from 1
    object_id TEXT   NOT NULL, -- such as that of a customer
    former    TEXT   NOT NULL, -- JSON: how the object was before; empty if the import made it
    version   BIGINT NOT NULL, -- of the object after the import
    outcome   TEXT   NOT NULL, -- of undoing: empty before, undone, or why it stayed
    PRIMARY KEY (store_id, import_id, record)
) WITHOUT ROWID;
CREATE INDEX import_effects_object ON import_effects (store_id, object_id); -- anonymization
CREATE INDEX import_effects_remaining ON import_effects (store_id, import_id, record) WHERE outcome NOT IN ('', 'undone');
