package purchase

import (
	"fmt"
	"strings"
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// chainRow is what an account says of its purchases, or one of the purchases that follow it.
type chainRow struct {
	store                int64
	customerID, couponID string
	before               string // the previous purchase; of an account, the newest one
	recent               string // of an account, the last ones
	number               int64  // of an account
	purchasedAt          time.Time
}

func (r *chainRow) columns() []any {
	return []any{&r.store, &r.customerID, &r.couponID, &r.before, &r.recent, &r.number, db.Time(&r.purchasedAt)}
}

// checkChains follows the linked list of every customer's purchases from the account backwards, and compares the time
// in the ids with that of the purchases. The database sorts, so that only one customer at a time is in memory.
func checkChains(tx *db.Tx, found func(store int64, id, is, want string)) error {
	var account chainRow
	previous := map[string]string{}
	end := func() {
		if is, want := chainFault(&account, previous); is != "" {
			found(account.store, account.customerID, is, want)
		}
		clear(previous)
	}
	err := db.Each(tx, (*chainRow).columns, func(r chainRow) {
		if r.store != account.store || r.customerID != account.customerID {
			end()
			account = chainRow{store: r.store, customerID: r.customerID}
		}
		if r.couponID == "" {
			account = r
			return
		}
		previous[r.couponID] = r.before
		first, next := db.FirstIDAt(r.purchasedAt), db.FirstIDAt(r.purchasedAt.Add(time.Microsecond))
		if r.couponID < first || r.couponID >= next {
			found(r.store, r.couponID, "an id of another moment", "an id that begins as "+first)
		}
	}, `SELECT store_id, customer_id, '' AS coupon_id, last_purchase_id, recent_purchases, purchases, NULL
			FROM (`+points.PurchasesQuery+`) a
		UNION ALL SELECT store_id, customer_id, coupon_id, previous_id, '', 0, purchased_at FROM purchases
			ORDER BY 1, 2, 3`)
	end()
	return err
}

// chainFault returns how the linked list differs from the purchases of the customer, or an empty string.
func chainFault(account *chainRow, previous map[string]string) (is, want string) {
	if n := int64(len(previous)); account.number != n {
		return fmt.Sprintf("the account counts %d purchases", account.number), fmt.Sprint(n)
	}
	id, steps := account.before, 0
	recent := strings.FieldsFunc(account.recent, func(c rune) bool { return c == ',' })
	if n := min(len(previous), points.RecentLimit); len(recent) != n {
		return fmt.Sprintf("the account has %d recent purchases", len(recent)), fmt.Sprint(n)
	}
	for ; id != "" && steps <= len(previous); steps++ {
		if place := len(recent) - 1 - steps; place >= 0 && recent[place] != id {
			return "the account has the recent purchase " + recent[place], id
		}
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
