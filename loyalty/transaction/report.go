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
	return table.Each(tx, func(t Transaction) { visit(t.CustomerID, t.PurchasedAt, t.Left().Gross) },
		`SELECT t.customer_id, t.purchased_at, t.gross_value, t.returned FROM ? AS v (store, id)
			CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.customer_id = v.id AND t.customer_id <> '' AND t.document_type = 'sell'
			AND t.fully_returned = FALSE AND t.purchased_at >= ? AND t.purchased_at < ?`,
		tx.Among(storeKey, customerIDs...), from.UnixMicro(), before.UnixMicro())
}

// LeftOf returns what returns have left of sales with distinct ids. Those that were returned completely are missing.
func LeftOf(tx *db.Tx, storeKey int64, ids ...string) (map[string]decimal.Money, error) {
	left := map[string]decimal.Money{}
	if len(ids) == 0 {
		return left, nil
	}
	return left, table.Each(tx, func(t Transaction) { left[t.ID] = t.Left().Gross },
		`SELECT t.transaction_id, t.gross_value, t.returned FROM ? AS v (store, id) CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.transaction_id = v.id AND t.fully_returned = FALSE`,
		tx.Among(storeKey, ids...))
}

// SumSales sums up the sales of customers in spans of time, less returns. Sales that were returned completely do not
// count. among holds customers, with the beginning and the end of each span.
func SumSales(tx *db.Tx, among *db.Keys) (sales int64, amount decimal.Money, err error) {
	type sums struct {
		sales  int64
		amount decimal.Money
	}
	of, _, err := db.One(tx, func(s *sums) []any { return []any{&s.sales, &s.amount} },
		`SELECT COUNT(*), CAST(COALESCE(SUM(t.gross_value - t.returned), 0) AS BIGINT)
			FROM ? AS v (store, customer, since, until) CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.customer_id = v.customer AND t.customer_id <> '' AND t.document_type = 'sell'
			AND t.fully_returned = FALSE AND t.purchased_at >= v.since AND t.purchased_at < v.until`, among)
	return of.sales, of.amount, err
}

// SoldAt is when a sale was, and what returns have left of it.
type SoldAt struct {
	At   time.Time
	Left decimal.Money
}

// FindSold returns sales with distinct ids. Those that were returned completely are missing.
func FindSold(tx *db.Tx, storeKey int64, ids ...string) (map[string]SoldAt, error) {
	found := map[string]SoldAt{}
	if len(ids) == 0 {
		return found, nil
	}
	return found, table.Each(tx, func(t Transaction) { found[t.ID] = SoldAt{t.PurchasedAt, t.Left().Gross} },
		`SELECT t.transaction_id, t.purchased_at, t.gross_value, t.returned FROM ? AS v (store, id)
			CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.transaction_id = v.id AND t.document_type = 'sell'
			AND t.fully_returned = FALSE`, tx.Among(storeKey, ids...))
}

// ReceiptsQuery selects the sales of all stores, with what LockReceipts reads.
const ReceiptsQuery = `SELECT store_id, transaction_id, customer_id, gross_value, returned FROM transactions
	WHERE document_type = 'sell'`

// Receipt is a sale as the coupons that are used for it count it.
type Receipt struct {
	CustomerID    string
	POSID         string
	Left          decimal.Money // what returns have left
	FullyReturned bool
}

// ReceiptOf returns a sale as a receipt.
func ReceiptOf(t *Transaction) *Receipt {
	return &Receipt{t.CustomerID, t.POSID, t.Left().Gross, t.FullyReturned}
}

// LockReceipts locks sales with distinct ids, in the order of their ids. Unknown ones are missing from the result.
func LockReceipts(tx *db.Tx, storeKey int64, ids ...string) (map[string]*Receipt, error) {
	found := map[string]*Receipt{}
	if len(ids) == 0 {
		return found, nil
	}
	return found, table.Each(tx, func(t Transaction) { found[t.ID] = ReceiptOf(&t) },
		`SELECT t.transaction_id, t.customer_id, t.pos_id, t.gross_value, t.returned, t.fully_returned
			FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.transaction_id = v.id AND t.document_type = 'sell'
		ORDER BY t.transaction_id FOR UPDATE OF t`, tx.Among(storeKey, ids...))
}
