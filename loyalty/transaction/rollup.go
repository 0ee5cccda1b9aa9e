package transaction

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// countIn adds a change of the sums of a sale to the day of its purchase.
func (t *Transaction) countIn(add rollup.Adder, addSale rollup.SaleAdder, change customer.Purchases) {
	at := t.PurchasedAt
	add(at, rollup.Receipts, change.Count)
	add(at, rollup.Sales, int64(change.Amount))
	add(at, rollup.SalesWithoutDelivery, int64(change.AmountWithoutDelivery))
	sums := rollup.SaleSums{Receipts: change.Count, Sales: int64(change.Amount)}
	if t.CustomerID != "" {
		addMatched(add, at, change)
		sums.MatchedReceipts, sums.MatchedSales = sums.Receipts, sums.Sales
	}
	addSale(at, rollup.ByPOS, t.POSID, sums)
	addSale(at, rollup.ByLevel, t.LevelID, sums)
}

// addMatched adds a change of the sums of a sale that has a customer.
func addMatched(add rollup.Adder, at time.Time, change customer.Purchases) {
	add(at, rollup.MatchedReceipts, change.Count)
	add(at, rollup.MatchedSales, int64(change.Amount))
	add(at, rollup.MatchedWithoutDelivery, int64(change.AmountWithoutDelivery))
}

// matchIn adds the sums of a sale that has got a customer of a level to those of sales with customers. Negative sums
// are those of a sale that has lost its customer.
func (t *Transaction) matchIn(tx *db.Tx, s *store.Store, levelID string, change customer.Purchases) {
	addMatched(rollup.Adding(tx, s), t.PurchasedAt, change)
	addSale := rollup.AddingSales(tx, s)
	all := rollup.SaleSums{Receipts: change.Count, Sales: int64(change.Amount)}
	matched := rollup.SaleSums{MatchedReceipts: change.Count, MatchedSales: int64(change.Amount)}
	addSale(t.PurchasedAt, rollup.ByPOS, t.POSID, matched)
	addSale(t.PurchasedAt, rollup.ByLevel, "", all.Minus())
	addSale(t.PurchasedAt, rollup.ByLevel, levelID, all)
	addSale(t.PurchasedAt, rollup.ByLevel, levelID, matched)
}

// counted returns what is left of a sale.
func (t *Transaction) counted() customer.Purchases {
	if t.FullyReturned {
		return t.Left().purchases(0)
	}
	return t.Left().purchases(1)
}

const amountColumns = "customer_id, level_id, pos_id, purchased_at, gross_value, gross_without_delivery, returned, " +
	"returned_without_delivery, fully_returned"

// RollUp counts all sales of a store as the sums count them.
func RollUp(tx *db.Tx, storeKey int64, add rollup.Adder, addSale rollup.SaleAdder) error {
	return table.Each(tx, func(t Transaction) { t.countIn(add, addSale, t.counted()) },
		`SELECT `+amountColumns+` FROM transactions WHERE store_id = ? AND document_type = 'sell'`, storeKey)
}

// disown removes a deleted customer from all their documents. The documents stay, and so does the time of the
// assignment, because a sale earns only once.
func disown(tx *db.Tx, s *store.Store, e customer.Changed) error {
	if e.After.Status != customer.Deleted {
		return nil
	}
	customerID := e.After.ID
	err := table.Each(tx, func(t Transaction) {
		of := t.counted()
		t.matchIn(tx, s, t.LevelID, customer.Purchases{
			Count: -of.Count, Amount: -of.Amount, AmountWithoutDelivery: -of.AmountWithoutDelivery,
		})
	}, `SELECT `+amountColumns+` FROM transactions
		WHERE store_id = ? AND customer_id = ? AND customer_id <> '' AND document_type = 'sell' FOR UPDATE`,
		s.Key, customerID)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE transactions SET customer_id = '', level_id = ''
		WHERE store_id = ? AND customer_id = ? AND customer_id <> ''`, s.Key, customerID)
	return err
}

// AssignmentDays calls visit for the days on which the documents of distinct customers were matched with them.
func AssignmentDays(tx *db.Tx, s *store.Store, customerIDs []string,
	visit func(customerID string, day calendar.Day)) error {
	return table.Each(tx, func(t Transaction) { visit(t.CustomerID, calendar.DayOf(t.AssignedAt, s.Zone)) },
		`SELECT t.customer_id, t.assigned_at FROM ? AS v (store, id) CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.customer_id = v.id AND t.customer_id <> '' AND t.assigned_at IS NOT NULL`,
		tx.Among(s.Key, customerIDs...))
}

// CountPurchased returns the number of sales with a purchase in a span of time that are not completely returned. It
// reads one row for each receipt of that time.
func CountPurchased(tx *db.Tx, storeKey int64, from, before time.Time, onlyMatched bool) (int64, error) {
	matched := ``
	if onlyMatched {
		matched = ` AND customer_id <> ''`
	}
	return db.Value[int64](tx, `SELECT COUNT(*) FROM transactions WHERE store_id = ? AND purchased_at >= ?
		AND purchased_at < ? AND document_type = 'sell' AND NOT fully_returned`+matched,
		storeKey, from.UnixMicro(), before.UnixMicro())
}
