package journey

import (
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// Pause is the number of days in which a customer enters once at most a journey whose occasion can come every day.
const Pause = 7

// given holds the gifts of journeys of one recipe to some customers. They are no occasion of that recipe again, or two
// journeys would go on without the customer doing anything.
type given struct {
	ids      map[string]bool // of transfers of points, and of coupons
	transfer map[string][]gifted
}

// gifted is a transfer of points to a customer.
type gifted struct {
	id string
	at time.Time
}

func readGiven(tx *db.Tx, storeKey int64, recipe string, customerIDs ...string) (*given, error) {
	g := &given{map[string]bool{}, map[string][]gifted{}}
	if len(customerIDs) == 0 {
		return g, nil
	}
	return g, db.Each(tx, func(e *Entry) []any {
		return []any{&e.CustomerID, &e.TransferID, &e.CouponID, db.Time(&e.DoneAt)}
	}, func(e Entry) {
		if g.ids[e.CouponID] = true; e.TransferID != "" {
			g.ids[e.TransferID] = true
			g.transfer[e.CustomerID] = append(g.transfer[e.CustomerID], gifted{e.TransferID, e.DoneAt})
		}
	}, `SELECT e.customer_id, e.transfer_id, e.coupon_id, e.done_at FROM ? AS v (store, id)
		CROSS JOIN journey_entries e
		JOIN journeys j ON j.store_id = e.store_id AND j.journey_id = e.journey_id
		WHERE e.store_id = v.store AND e.customer_id = v.id AND e.state = 'sent' AND j.recipe = ?
			AND (e.transfer_id <> '' OR e.coupon_id <> '')`, tx.Among(storeKey, db.Distinct(customerIDs)...), recipe)
}

// any reports whether one of some transfers and coupons was given.
func (g *given) any(ids []string) bool {
	for _, id := range ids {
		if g.ids[id] {
			return true
		}
	}
	return false
}

// sinceLevel returns the points that a customer was given since the present level was reached, with those that reached
// it.
func (g *given) sinceLevel(tx *db.Tx, c *customer.Customer) (sum points.Amount, err error) {
	var ids []string
	for _, transfer := range g.transfer[c.ID] {
		if !transfer.at.Before(c.LevelAchievedAt) {
			ids = append(ids, transfer.id)
		}
	}
	values, err := points.Values(tx, c.StoreKey, ids...)
	for _, value := range values {
		sum += value
	}
	return sum, err
}
