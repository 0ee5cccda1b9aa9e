package purchase

import (
	"fmt"
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// chainRow is what an account says of its purchases, some ids of purchases that lists read, or a purchase.
type chainRow struct {
	store                int64
	customerID, couponID string
	isAccount            bool
	before               string // the previous purchase; of an account, the newest one
	ids                  string // with commas
	number               int64  // of an account
	purchasedAt          time.Time
}

func (r *chainRow) columns() []any {
	return []any{&r.store, &r.customerID, &r.couponID, &r.isAccount, &r.before, &r.ids, &r.number,
		db.Time(&r.purchasedAt)}
}

// checkChains follows the linked list of every customer's purchases from the account backwards, and compares the ids
// that lists read, and the time in them, with the purchases. The database sorts, so that only one customer at a time is
// in memory.
func checkChains(tx *db.Tx, found func(store int64, id, is, want string)) error {
	var account chainRow
	var ids []string
	previous := map[string]string{}
	end := func() {
		if is, want := chainFault(&account, ids, previous); is != "" {
			found(account.store, account.customerID, is, want)
		}
		clear(previous)
	}
	err := db.Each(tx, (*chainRow).columns, func(r chainRow) {
		if r.store != account.store || r.customerID != account.customerID {
			end()
			account, ids = chainRow{store: r.store, customerID: r.customerID}, nil
		}
		switch {
		case r.isAccount:
			account = r
			return
		case r.couponID == "":
			ids = append(ids, points.SplitIDs(r.ids)...)
			return
		}
		previous[r.couponID] = r.before
		first, next := db.FirstIDAt(r.purchasedAt), db.FirstIDAt(r.purchasedAt.Add(time.Microsecond))
		if r.couponID < first || r.couponID >= next {
			found(r.store, r.couponID, "an id of another moment", "an id that begins as "+first)
		}
	}, `SELECT store_id, customer_id, '' AS coupon_id, TRUE, last_purchase_id, '', purchases, CAST(NULL AS BIGINT)
			FROM (`+points.PurchasesQuery+`) a
		UNION ALL SELECT store_id, customer_id, '', FALSE, '', ids, 0, NULL FROM (`+points.PurchaseIDsQuery+`) i
		UNION ALL SELECT store_id, customer_id, coupon_id, FALSE, previous_id, '', 0, purchased_at FROM purchases
			ORDER BY 1, 2, 3`)
	end()
	return err
}

// chainFault returns how the linked list and the ids differ from the purchases of the customer, or an empty string.
func chainFault(account *chainRow, ids []string, previous map[string]string) (is, want string) {
	if n := int64(len(previous)); account.number != n {
		return fmt.Sprintf("the account counts %d purchases", account.number), fmt.Sprint(n)
	}
	if distinct := db.Distinct(ids); len(ids) != len(previous) || len(distinct) != len(ids) {
		return fmt.Sprintf("lists read %d ids, %d of them different", len(ids), len(distinct)), fmt.Sprint(len(previous))
	}
	for _, id := range ids {
		if _, known := previous[id]; !known {
			return "lists read the purchase " + id, "one of the customer's"
		}
	}
	id, steps := account.before, 0
	for ; id != "" && steps <= len(previous); steps++ {
		before, known := previous[id]
		if !known {
			return "the list leads to the purchase " + id, "one of the customer's"
		}
		id = before
	}
	if steps != len(previous) {
		return fmt.Sprintf("the list from the account backwards has %d purchases", steps), fmt.Sprint(len(previous))
	}
	return "", ""
}
