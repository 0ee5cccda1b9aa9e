package points

import (
	"slices"
	"strings"

	"punchcard/platform/db"
)

// recentLimit is the largest number of ids in Account.RecentPurchases. The purchase after that moves them to
// purchase_ids, so that ten purchases share one more page. A larger number makes every purchase write a longer row.
const recentLimit = 10

// exchangedMark precedes the ids of purchases that customers do not find in their own lists. Lists and their totals
// need no other column of such purchases.
const exchangedMark = "!"

// remember adds a purchase, which may have a mark, to the recent ones.
func (w *Wallet) remember(couponID string) {
	switch recent := w.RecentPurchases; {
	case recent == "":
		w.RecentPurchases = couponID
	case strings.Count(recent, ",") < recentLimit-1:
		w.RecentPurchases = recent + "," + couponID
	default:
		first, _, _ := strings.Cut(recent, ",")
		first = strings.TrimPrefix(first, exchangedMark)
		w.movedIDs = append(w.movedIDs, []any{w.StoreKey, w.CustomerID, first, recent})
		w.RecentPurchases = couponID
	}
}

// PurchaseIDsQuery selects store_id, customer_id and ids of the rows that hold the ids of purchases, as SplitIDs reads
// them: accounts, and the ids that moved out of them.
const PurchaseIDsQuery = `SELECT store_id, customer_id, recent_purchases AS ids FROM accounts
	UNION ALL SELECT store_id, customer_id, ids FROM purchase_ids`

// ExchangedTotals selects store_id, customer_id as id, and as total the number of purchases that are left out of the
// customer's own lists. SQLite stores a single id as bytes, any of which may be the mark.
const ExchangedTotals = `SELECT store_id, customer_id AS id,
	SUM(LENGTH(ids) - LENGTH(REPLACE(ids, '` + exchangedMark + `', ''))) AS total
	FROM (` + PurchaseIDsQuery + `) AS i 
	WHERE ids LIKE '%` + exchangedMark + `________-____-____-____-____________%' GROUP BY store_id, customer_id`

// IDsWanted selects ids of purchases.
type IDsWanted struct {
	WithoutExchanged bool  // only those of the customer's own lists
	Limit            int64 // none of customers with more purchases; 0 for no limit
}

// PurchaseIDs returns the ids of customers' purchases, in order. A customer with more purchases than the limit, or who
// bought between two statements, is among the others.
func PurchaseIDs(tx *db.Tx, storeKey int64, wanted IDsWanted, customers []string) (
	ids map[string][]string, others []Account, err error) {
	var all []Account
	var long []string
	columns := func(a *Account) []any { return []any{&a.CustomerID, &a.Purchases, &a.RecentPurchases} }
	err = db.Each(tx, columns, func(a Account) {
		switch {
		case wanted.Limit > 0 && a.Purchases > wanted.Limit:
			others = append(others, a)
			return
		case a.Purchases > countIDs(a.RecentPurchases):
			long = append(long, a.CustomerID)
		}
		all = append(all, a)
	}, `SELECT a.customer_id, a.purchases, a.recent_purchases`+fromAccounts, tx.Among(storeKey, customers...))
	if err != nil {
		return nil, nil, err
	}
	moved := map[string][]string{}
	if len(long) > 0 {
		type row struct{ customerID, ids string }
		if err := db.Each(tx, func(r *row) []any { return []any{&r.customerID, &r.ids} },
			func(r row) { moved[r.customerID] = append(moved[r.customerID], r.ids) },
			`SELECT i.customer_id, i.ids FROM ?
				CROSS JOIN purchase_ids i WHERE i.store_id = v.store AND i.customer_id = v.column1`,
			tx.Among(storeKey, long...)); err != nil {
			return nil, nil, err
		}
	}
	ids = make(map[string][]string, len(customers))
	for i := range all {
		a := &all[i]
		n, own := int64(0), make([]string, 0, a.Purchases)
		for _, text := range append(moved[a.CustomerID], a.RecentPurchases) {
			n += countIDs(text)
			own = appendIDs(own, text, wanted.WithoutExchanged)
		}
		if n != a.Purchases {
			others = append(others, *a)
			continue
		}
		slices.Sort(own)
		ids[a.CustomerID] = own
	}
	return ids, others, nil
}

// SplitIDs returns the ids of a row of PurchaseIDsQuery.
func SplitIDs(ids string) []string { return appendIDs(nil, ids, false) }

// countIDs returns the number of ids of a row of PurchaseIDsQuery.
func countIDs(ids string) int64 {
	if ids == "" {
		return 0
	}
	return int64(strings.Count(ids, ",")) + 1
}

// appendIDs appends the ids of a row of PurchaseIDsQuery.
func appendIDs(to []string, ids string, withoutExchanged bool) []string {
	for more := ids != ""; more; {
		var id string
		id, ids, more = strings.Cut(ids, ",")
		id, exchanged := strings.CutPrefix(id, exchangedMark)
		if !exchanged || !withoutExchanged {
			to = append(to, id)
		}
	}
	return to
}
