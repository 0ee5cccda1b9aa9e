package points

import (
	"strings"

	"punchcard/platform/db"
)

// recentLimit is the largest number of ids in Account.RecentPurchases. The purchase after that moves them to
// purchase_ids, so that ten purchases share one more page. A larger number makes every purchase write a longer row.
const recentLimit = 10

// remember adds a purchase to the recent ones.
func (w *Wallet) remember(couponID string) {
	switch recent := w.RecentPurchases; {
	case recent == "":
		w.RecentPurchases = couponID
	case strings.Count(recent, ",") < recentLimit-1:
		w.RecentPurchases = recent + "," + couponID
	default:
		first, _, _ := strings.Cut(recent, ",")
		w.movedIDs = append(w.movedIDs, []any{w.StoreKey, w.CustomerID, first, recent})
		w.RecentPurchases = couponID
	}
}

// PurchaseIDsQuery selects store_id, customer_id and ids of the rows that hold the ids of purchases, which commas
// separate: accounts, and the ids that moved out of them.
const PurchaseIDsQuery = `SELECT store_id, customer_id, recent_purchases AS ids FROM accounts
	UNION ALL SELECT store_id, customer_id, ids FROM purchase_ids`

// PurchaseIDs returns the ids of all purchases of customers, in no order. A customer with more purchases than limit, or
// whose ids are not known, is among the others.
func PurchaseIDs(tx *db.Tx, storeKey int64, limit int64, customers []string) (
	ids map[string][]string, others []Account, err error) {
	ids = make(map[string][]string, len(customers))
	var all []Account
	var long []string
	columns := func(a *Account) []any { return []any{&a.CustomerID, &a.Purchases, &a.RecentPurchases} }
	err = db.Each(tx, columns, func(a Account) {
		all = append(all, a)
		ids[a.CustomerID] = SplitIDs(a.RecentPurchases)
		if n := int64(len(ids[a.CustomerID])); n < a.Purchases && a.Purchases <= limit {
			long = append(long, a.CustomerID)
		}
	}, `SELECT a.customer_id, a.purchases, a.recent_purchases`+fromAccounts, tx.Among(storeKey, customers...))
	if err != nil {
		return nil, nil, err
	}
	if len(long) > 0 {
		type row struct{ customerID, ids string }
		if err := db.Each(tx, func(r *row) []any { return []any{&r.customerID, &r.ids} },
			func(r row) { ids[r.customerID] = append(ids[r.customerID], SplitIDs(r.ids)...) },
			`SELECT i.customer_id, i.ids FROM ?
				CROSS JOIN purchase_ids i WHERE i.store_id = v.store AND i.customer_id = v.column1`,
			tx.Among(storeKey, long...)); err != nil {
			return nil, nil, err
		}
	}
	for i := range all {
		if a := &all[i]; int64(len(ids[a.CustomerID])) != a.Purchases {
			delete(ids, a.CustomerID)
			others = append(others, *a)
		}
	}
	return ids, others, nil
}

// SplitIDs returns the ids of a row of PurchaseIDsQuery.
func SplitIDs(ids string) []string {
	return strings.FieldsFunc(ids, func(c rune) bool { return c == ',' })
}
