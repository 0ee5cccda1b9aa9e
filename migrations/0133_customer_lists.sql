-- +goose Up

-- Customers whose points or purchases have changed, a row for each transaction. A job takes them over into
-- customer_ranks, so that no purchase writes to the indexes of that table.
CREATE TABLE rank_changes (
    store_id  BIGINT NOT NULL,
    change_id TEXT   NOT NULL,
    customers TEXT   NOT NULL, -- JSON: ids
    PRIMARY KEY (store_id, change_id)
) WITHOUT ROWID;

-- By what lists of customers are sorted, besides the columns of customers. Deleted customers have no row.
CREATE TABLE customer_ranks (
    store_id         BIGINT NOT NULL,
    customer_id      TEXT   NOT NULL,
    points           BIGINT NOT NULL, -- available ones
    spent            BIGINT NOT NULL,
    last_purchase_at BIGINT NOT NULL, -- 0 for none
    PRIMARY KEY (store_id, customer_id)
) WITHOUT ROWID;
INSERT INTO customer_ranks (store_id, customer_id, points, spent, last_purchase_at)
    SELECT c.store_id, c.customer_id, a.points, c.transactions_amount, COALESCE(c.last_transaction_at, 0)
    FROM customers c JOIN accounts a ON a.store_id = c.store_id AND a.customer_id = c.customer_id
    WHERE c.status <> 'deleted';
CREATE INDEX customer_ranks_points ON customer_ranks (store_id, points, customer_id);
CREATE INDEX customer_ranks_spent ON customer_ranks (store_id, spent, customer_id);
CREATE INDEX customer_ranks_last ON customer_ranks (store_id, last_purchase_at, customer_id);
