-- +goose Up

-- E-mail addresses and phones of merged customers, which lead to the customer into whom they were merged until somebody
-- else proves that they are theirs: docs/behaviour/merges.md.
CREATE TABLE customer_leads (
    store_id    BIGINT  NOT NULL,
    field       TEXT    NOT NULL, -- email or phone
    contact     TEXT    NOT NULL, -- as it is compared
    customer_id TEXT    NOT NULL, -- the merged customer
    verified    BOOLEAN NOT NULL, -- whether it was before the merge
    PRIMARY KEY (store_id, field, contact)
) WITHOUT ROWID;
CREATE INDEX customer_leads_of ON customer_leads (store_id, customer_id); -- leads of a merged customer
