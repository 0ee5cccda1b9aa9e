package purchase

import (
	"maps"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// lockReceipts locks the receipts for which coupons were used, or are to be used by marks, before the coupons: returns
// lock in the same order. Unknown receipts have no customer.
func lockReceipts(tx *db.Tx, storeKey int64, marks []Mark) (map[string]*transaction.Receipt, error) {
	ids := make([]string, len(marks))
	var named []string
	for i, m := range marks {
		ids[i] = m.CouponID
		if m.TransactionID != "" {
			named = append(named, m.TransactionID)
		}
	}
	before, err := db.AllValues[string](tx, `SELECT p.used_for_transaction_id
		FROM ? AS v (store, id)
		CROSS JOIN purchases p WHERE p.store_id = v.store AND p.coupon_id = v.id
		AND p.used_for_transaction_id <> ''`, tx.Among(storeKey, db.Distinct(ids)...))
	if err != nil {
		return nil, err
	}
	named = db.Distinct(append(named, before...))
	found, err := transaction.LockReceipts(tx, storeKey, named...)
	for _, id := range named {
		if found[id] == nil {
			found[id] = &transaction.Receipt{}
		}
	}
	return found, err
}

// UsedFor returns the ids of the coupons that customers used for sales of theirs, by sale. sales are ids by customer.
func UsedFor(tx *db.Tx, storeKey int64, sales map[string][]string) (map[string][]string, error) {
	var pairs [][]any
	for _, customerID := range slices.Sorted(maps.Keys(sales)) {
		for _, id := range db.Distinct(sales[customerID]) {
			pairs = append(pairs, []any{customerID, id})
		}
	}
	used := map[string][]string{}
	if len(pairs) == 0 {
		return used, nil
	}
	return used, db.Each(tx, func(p *Purchase) []any { return []any{&p.CouponID, &p.UsedForTransactionID} },
		func(p Purchase) { used[p.UsedForTransactionID] = append(used[p.UsedForTransactionID], p.CouponID) },
		`SELECT p.coupon_id, p.used_for_transaction_id FROM ? AS v (store, customer, sale)
			CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.customer AND p.used_for_transaction_id = v.sale
			AND p.used_for_transaction_id <> '' AND p.used AND p.status <> 'cancelled'`,
		tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, pairs...))
}

// countReceipts lets the first coupon of each campaign that was used for a locked receipt of its customer count it,
// with what returns have left of it.
func countReceipts(tx *db.Tx, s *store.Store, receipts map[string]*transaction.Receipt) error {
	var pairs [][]any
	for _, id := range slices.Sorted(maps.Keys(receipts)) {
		if receipts[id].CustomerID != "" {
			pairs = append(pairs, []any{receipts[id].CustomerID, id})
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	coupons, err := table.All(tx, `SELECT p.* FROM ? AS v (store, customer, sale)
		CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.customer AND p.used_for_transaction_id = v.sale
			AND p.used_for_transaction_id <> '' AND p.used AND p.status <> 'cancelled'
		ORDER BY p.coupon_id FOR UPDATE OF p`, tx.AmongRows(s.Key, []string{"TEXT", "TEXT"}, pairs...))
	if err != nil {
		return err
	}
	type use struct{ receipt, campaign string }
	counted := map[use]bool{}
	var changed []*Purchase
	for i := range coupons {
		p := &coupons[i]
		of, this := receipts[p.UsedForTransactionID], use{p.UsedForTransactionID, p.CampaignID}
		var sales *decimal.Money
		if !of.FullyReturned && !counted[this] {
			sales, counted[this] = &of.Left, true
		}
		if equal(p.ReceiptSales, sales) {
			continue
		}
		p.count(tx, s, -1)
		p.ReceiptSales = sales
		p.count(tx, s, 1)
		changed = append(changed, p)
	}
	if len(changed) == 0 {
		return nil
	}
	return saveUse(tx, changed)
}

func equal(a, b *decimal.Money) bool { return a == b || a != nil && b != nil && *a == *b }

// Reduced counts a sale that a return has reduced for the coupons that were used for it.
func Reduced(tx *db.Tx, s *store.Store, e transaction.Reduced) error {
	return countReceipts(tx, s, map[string]*transaction.Receipt{e.Sale.ID: transaction.ReceiptOf(e.Sale)})
}
