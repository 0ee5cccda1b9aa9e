-- +goose Up

-- Addresses that a mail server or a gateway refused in a way that may concern the sender as well. The address becomes
-- undeliverable if it is refused again days later; an accepted message removes the row.
CREATE TABLE refused_addresses (
    store_id BIGINT NOT NULL,
    channel  TEXT   NOT NULL,
    address  TEXT   NOT NULL,
    since    BIGINT NOT NULL, -- of the first refusal
    PRIMARY KEY (store_id, channel, address)
) WITHOUT ROWID;
CREATE INDEX refused_addresses_of ON refused_addresses (store_id, since);
CREATE INDEX refused_addresses_since ON refused_addresses (since); -- removal

CREATE INDEX undeliverable_addresses_of ON undeliverable_addresses (store_id, since);
CREATE INDEX undeliverable_addresses_since ON undeliverable_addresses (since); -- removal
