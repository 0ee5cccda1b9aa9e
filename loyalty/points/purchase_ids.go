package points

import (
	"iter"
	"slices"

	"punchcard/platform/db"
)

// recentLimit is the largest number of ids in Account.recentPurchases. The purchase after that moves them to
// purchase_ids, so that as many purchases share one more page. A larger number makes every purchase write a longer row.
const recentLimit = 20

// remember adds a purchase to the recent ones.
func (w *Wallet) remember(couponID string, exchanged bool) {
	if recent := w.recentPurchases; recent.len() >= recentLimit {
		w.movedIDs = append(w.movedIDs, []any{w.StoreKey, w.CustomerID, unpackID(recent), db.Binary(&recent)})
		w.recentPurchases = nil
	}
	w.recentPurchases = w.recentPurchases.with(couponID, exchanged)
}

// PurchaseIDsQuery selects store_id, customer_id and ids of the rows that hold the ids of purchases, as UnpackIDs reads
// them: accounts, and the ids that moved out of them.
const PurchaseIDsQuery = `SELECT store_id, customer_id, recent_purchases AS ids FROM accounts
	UNION ALL SELECT store_id, customer_id, ids FROM purchase_ids`

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
	columns := func(a *Account) []any { return []any{&a.CustomerID, &a.Purchases, db.Binary(&a.recentPurchases)} }
	err = db.Each(tx, columns, func(a Account) {
		switch {
		case wanted.Limit > 0 && a.Purchases > wanted.Limit:
			others = append(others, a)
			return
		case a.Purchases > a.recentPurchases.len():
			long = append(long, a.CustomerID)
		}
		all = append(all, a)
	}, `SELECT a.customer_id, a.purchases, a.recent_purchases`+fromAccounts, tx.Among(storeKey, customers...))
	if err != nil {
		return nil, nil, err
	}
	moved := map[string][]purchaseIDs{}
	if len(long) > 0 {
		type row struct {
			customerID string
			ids        purchaseIDs
		}
		if err := db.Each(tx, func(r *row) []any { return []any{&r.customerID, db.Binary(&r.ids)} },
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
		for _, some := range append(moved[a.CustomerID], a.recentPurchases) {
			n += some.len()
			for id, exchanged := range some.all {
				if !exchanged || !wanted.WithoutExchanged {
					own = append(own, id)
				}
			}
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

// UnpackIDs returns the ids of a row of PurchaseIDsQuery, with whether the customer's own lists leave them out.
func UnpackIDs(packed []byte) (iter.Seq2[string, bool], error) {
	var ids purchaseIDs
	err := ids.UnmarshalBinary(packed)
	return ids.all, err
}
