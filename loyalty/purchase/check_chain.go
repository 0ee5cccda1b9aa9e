package purchase

import (
	"fmt"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// chainRow is what an account says of its purchases, some ids of purchases that lists read, or a purchase.
type chainRow struct {
	store                int64
	customerID, couponID string
	isAccount            bool
	before               string // the previous purchase; of an account, the newest one
	ids                  []byte // packed
	exchanged            bool   // a purchase that the customer's own lists leave out
	number               int64  // of an account
	purchasedAt          time.Time
}

func (r *chainRow) columns() []any {
	return []any{&r.store, &r.customerID, &r.couponID, &r.isAccount, &r.before, &r.ids,
		&r.exchanged, &r.number, db.Time(&r.purchasedAt)}
}

// checkChains follows the linked list of every customer's purchases from the account backwards, and compares the ids
// that lists read, their marks, and the time in them, with the purchases. The database sorts, so that only one customer
// at a time is in memory.
func checkChains(tx *db.Tx, types campaign.Types, found func(store int64, id, is, want string)) error {
	var account chainRow
	var ids []listedID
	own := map[string]chainRow{}
	end := func() {
		if is, want := chainFault(&account, ids, own); is != "" {
			found(account.store, account.customerID, is, want)
		}
		clear(own)
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
			some, err := points.UnpackIDs(r.ids)
			if err != nil {
				found(r.store, r.customerID, err.Error(), "packed ids")
			}
			for id, exchanged := range some {
				ids = append(ids, listedID{id, exchanged})
			}
			return
		}
		own[r.couponID] = r
		first, next := db.FirstIDAt(r.purchasedAt), db.FirstIDAt(r.purchasedAt.Add(time.Microsecond))
		if r.couponID < first || r.couponID >= next {
			found(r.store, r.couponID, "an id of another moment", "an id that begins as "+first)
		}
	}, `SELECT store_id, customer_id, '' AS coupon_id, TRUE, last_purchase_id, CAST(NULL AS BYTEA),
			FALSE, purchases, CAST(NULL AS BIGINT)
			FROM (`+points.PurchasesQuery+`) a
		UNION ALL SELECT store_id, customer_id, '', FALSE, '', ids, FALSE, 0, NULL FROM (`+points.PurchaseIDsQuery+`) i
		UNION ALL SELECT store_id, customer_id, coupon_id, FALSE, previous_id, NULL, `+types.Only("reward", isExchanged)+`,
			0, purchased_at FROM purchases
			ORDER BY 1, 2, 3`)
	end()
	return err
}

// listedID is an id that lists of one customer read.
type listedID struct {
	couponID  string
	exchanged bool
}

// chainFault returns how the linked list and the ids differ from the customer's own purchases, or an empty string.
func chainFault(account *chainRow, ids []listedID, own map[string]chainRow) (is, want string) {
	if n := int64(len(own)); account.number != n {
		return fmt.Sprintf("the account counts %d purchases", account.number), fmt.Sprint(n)
	}
	distinct := map[string]bool{}
	for _, listed := range ids {
		distinct[listed.couponID] = true
		p, known := own[listed.couponID]
		if !known {
			return "lists read the purchase " + listed.couponID, "one of the customer's"
		}
		if listed.exchanged != p.exchanged {
			return fmt.Sprintf("%s is left out of the customer's own lists: %t", p.couponID, listed.exchanged),
				fmt.Sprint(p.exchanged)
		}
	}
	if len(ids) != len(own) || len(distinct) != len(ids) {
		return fmt.Sprintf("lists read %d ids, %d of them different", len(ids), len(distinct)), fmt.Sprint(len(own))
	}
	id, steps := account.before, 0
	for ; id != "" && steps <= len(own); steps++ {
		p, known := own[id]
		if !known {
			return "the list leads to the purchase " + id, "one of the customer's"
		}
		id = p.before
	}
	if steps != len(own) {
		return fmt.Sprintf("the list from the account backwards has %d purchases", steps), fmt.Sprint(len(own))
	}
	return "", ""
}
