package transaction

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// SalesBetween calls visit for the sales of distinct customers with a purchase in a span of time, and what returns have
// left of them. Sales that were returned completely are left out. visit must not use tx.
func SalesBetween(tx *db.Tx, storeKey int64, customerIDs []string, from, before time.Time,
	visit func(customerID string, at time.Time, left decimal.Money)) error {
	return db.Each(tx, func(t *Transaction) []any {
		return []any{&t.CustomerID, db.Time(&t.PurchasedAt), &t.Amounts.Gross, &t.Returned.Gross}
	}, func(t Transaction) { visit(t.CustomerID, t.PurchasedAt, t.Left().Gross) },
		`SELECT t.customer_id, t.purchased_at, t.gross_value, t.returned FROM ? CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.customer_id = v.column1 AND t.customer_id <> '' AND t.document_type = 'sell'
			AND t.fully_returned = FALSE AND t.purchased_at >= ? AND t.purchased_at < ?`,
		tx.Among(storeKey, customerIDs...), from.UnixMicro(), before.UnixMicro())
}

// LeftOf returns what returns have left of sales with distinct ids. Those that were returned completely are missing.
func LeftOf(tx *db.Tx, storeKey int64, ids ...string) (map[string]decimal.Money, error) {
	left := map[string]decimal.Money{}
	if len(ids) == 0 {
		return left, nil
	}
	return left, db.Each(tx, func(t *Transaction) []any { return []any{&t.ID, &t.Amounts.Gross, &t.Returned.Gross} },
		func(t Transaction) { left[t.ID] = t.Left().Gross },
		`SELECT t.transaction_id, t.gross_value, t.returned FROM ? CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.transaction_id = v.column1 AND t.fully_returned = FALSE`,
		tx.Among(storeKey, ids...))
}
