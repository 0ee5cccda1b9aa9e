-- +goose Up

-- A sandbox is a store for trying things out: its clock can be moved forward.
ALTER TABLE stores ADD COLUMN sandbox BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE stores ADD COLUMN clock_ahead BIGINT NOT NULL DEFAULT 0; -- microseconds, in front of the product's clock

-- What is due is asked of each store by its own clock.
DROP INDEX accounts_due;
CREATE INDEX accounts_due ON accounts (store_id, next_due_at) WHERE next_due_at IS NOT NULL;

-- Events are found by what they are about, but for those of which there may be very many: every coupon that is sold,
-- and every movement of points that the program makes. Purchases and transfers tell of these.
ALTER TABLE events ADD COLUMN traced BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE event_queue ADD COLUMN traced BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE events SET traced = TRUE WHERE type <> 'Platform.Domain.User.Event.CampaignWasBoughtByCustomer'
    AND (payload NOT LIKE '%"issuer":"system"%' OR type NOT IN ('Platform.Domain.Account.Event.PointsWereAdded',
    'Platform.Domain.Account.Event.PointsWereSpent', 'Platform.Domain.Account.Event.PointsWereReturned'));
UPDATE event_queue SET traced = TRUE WHERE type <> 'Platform.Domain.User.Event.CampaignWasBoughtByCustomer'
    AND (payload NOT LIKE '%"issuer":"system"%' OR type NOT IN ('Platform.Domain.Account.Event.PointsWereAdded',
    'Platform.Domain.Account.Event.PointsWereSpent', 'Platform.Domain.Account.Event.PointsWereReturned'));
CREATE INDEX events_about ON events (store_id, aggregate_id, id) WHERE traced = TRUE;

ALTER TABLE customers ADD COLUMN anonymized_at BIGINT; -- from then on nobody knows who he was
CREATE INDEX customers_anonymized ON customers (anonymized_at) WHERE anonymized_at IS NOT NULL;

-- Customers who became anonymous a moment ago: what others wrote of them meanwhile is cleared once more.
CREATE TABLE anonymizations (
    store_id    BIGINT NOT NULL,
    customer_id TEXT   NOT NULL,
    due_at      BIGINT NOT NULL,
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;

-- Documents that belong to nobody, by whom they name.
CREATE INDEX transactions_unclaimed_email ON transactions (store_id, email_key)
    WHERE customer_id = '' AND email_key <> ' ';
CREATE INDEX transactions_unclaimed_phone ON transactions (store_id, phone_key)
    WHERE customer_id = '' AND phone_key <> ' ';
CREATE INDEX transactions_unclaimed_card ON transactions (store_id, loyalty_card_key)
    WHERE customer_id = '' AND loyalty_card_key <> ' ';
