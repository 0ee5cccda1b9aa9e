-- +goose Up

-- Invitations by customers. The contact says whom an invitation was sent to. It is empty if somebody registered by the
-- personal link of the referrer, and once either side is anonymized.
CREATE TABLE invitations (
    store_id         BIGINT  NOT NULL,
    invitation_id    TEXT    NOT NULL,
    referrer_id      TEXT    NOT NULL, -- the customer who invites
    recipient_id     TEXT    NOT NULL, -- the customer who registered; empty until then
    recipient_email  TEXT    NOT NULL, -- in lower case
    recipient_phone  TEXT    NOT NULL,
    recipient_phone_key TEXT NOT NULL,
    joined_email     TEXT    NOT NULL, -- with which the recipient registered, to know them when they come back
    joined_phone_key TEXT    NOT NULL,
    token            TEXT    NOT NULL, -- lets the recipient register as invited; shown to administrators
    status           TEXT    NOT NULL, -- invited, registered, made_purchase
    rewarded         BOOLEAN NOT NULL, -- the rules for registrations were applied
    referrer_points  BIGINT  NOT NULL, -- what referral rules have paid each side
    recipient_points BIGINT  NOT NULL,
    created_at       BIGINT  NOT NULL,
    registered_at    BIGINT,
    purchased_at     BIGINT, -- when the first sale was matched
    PRIMARY KEY (store_id, invitation_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX invitations_token ON invitations (store_id, token) WHERE token <> '';
-- Nobody is invited twice.
CREATE UNIQUE INDEX invitations_email ON invitations (store_id, recipient_email) WHERE recipient_email <> '';
CREATE UNIQUE INDEX invitations_phone ON invitations (store_id, recipient_phone_key) WHERE recipient_phone_key <> '';
CREATE INDEX invitations_joined_email ON invitations (store_id, joined_email, invitation_id) WHERE joined_email <> '';
CREATE INDEX invitations_joined_phone ON invitations (store_id, joined_phone_key, invitation_id)
    WHERE joined_phone_key <> '';
CREATE UNIQUE INDEX invitations_recipient ON invitations (store_id, recipient_id) WHERE recipient_id <> '';
CREATE INDEX invitations_referrer ON invitations (store_id, referrer_id, invitation_id); -- invitations of a customer
CREATE INDEX invitations_status ON invitations (store_id, status, invitation_id);        -- filter of the list

-- Personal links, by which anybody can register as invited by the customer.
CREATE TABLE invitation_links (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    token       TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX invitation_links_token ON invitation_links (store_id, token);
