package checkout

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Reservations is the table of reserved baskets.
var Reservations = check.Table{Name: "reservations", ID: "reservation_id"}

// Rules returns the invariants of reservations.
func Rules() []check.Rule {
	return []check.Rule{
		check.OneOf("reservation.state", Reservations, "state", Reserved, Confirmed, Cancelled),
		check.Refers("reservation.customer", Reservations, "customer_id", customer.Customers),
		check.Refers("reservation.transaction", Reservations, "transaction_id", transaction.Transactions),
		check.Rows("reservation.ended", `SELECT store_id, reservation_id, state, 'a state that fits its end and its receipt'
			FROM reservations WHERE (state = 'reserved') <> (ended_at IS NULL)
			OR (state = 'confirmed') <> (document_number <> '') OR (state = 'confirmed') <> (transaction_id <> '')`),
		check.JSON[content]("reservation.basket", Reservations, "basket"),
		check.JSON[map[string]any]("reservation.checkout", Reservations, "checkout"),
		check.JSON[outcomeView]("reservation.outcome", Reservations, "outcome"),
		check.Fold("reservation.holds", checkHolds),
	}
}

// heldThing is something that an open reservation keeps.
type heldThing struct {
	store              int64
	reservation, where string // an account, a campaign or a coupon
	endsAt             time.Time
	amount             int64 // points in hundredths, purchases, or 1
}

// checkHolds compares open reservations with what is kept in accounts, of campaigns and of coupons.
func checkHolds(tx *db.Tx, found func(store int64, id, is, want string)) error {
	is, want := map[heldThing]int{}, map[heldThing]int{}
	clocks, err := clocksOf(tx)
	if err != nil {
		return err
	}
	note := func(of map[heldThing]int, h heldThing) {
		if h.endsAt.After(clocks[h.store]) {
			of[h]++
		}
	}
	err = db.Each(tx, func(r *reservation) []any {
		return []any{&r.StoreKey, &r.ID, &r.CustomerID, db.Time(&r.ExpiresAt), &r.Checkout}
	}, func(r reservation) {
		if json.Unmarshal([]byte(r.Checkout), &r.Basket) != nil {
			return // reported by another rule
		}
		if r.CustomerID != "" {
			cost := points.Amount(0)
			for _, reward := range r.Basket.Rewards {
				cost += reward.Cost
			}
			note(want, heldThing{r.StoreKey, r.ID, "account " + r.CustomerID, r.ExpiresAt, int64(cost)})
		}
		for _, h := range r.holds() {
			note(want, heldThing{r.StoreKey, r.ID, "campaign " + h.CampaignID, r.ExpiresAt, h.Quantity})
		}
		for _, c := range r.Basket.Coupons {
			note(want, heldThing{r.StoreKey, r.ID, "coupon " + c.CouponID, r.ExpiresAt, 1})
		}
	}, `SELECT store_id, reservation_id, customer_id, expires_at, basket FROM reservations
		WHERE state = 'reserved'`)
	if err != nil {
		return err
	}
	err = points.EachHold(tx, func(store int64, customerID, id string, endsAt time.Time, held points.Amount) {
		note(is, heldThing{store, id, "account " + customerID, endsAt, int64(held)})
	})
	if err != nil {
		return err
	}
	err = campaign.EachHold(tx, func(store int64, h campaign.Hold) {
		note(is, heldThing{store, h.ReservationID, "campaign " + h.CampaignID, h.EndsAt, h.Quantity})
	})
	if err != nil {
		return err
	}
	err = purchase.EachHold(tx, func(store int64, couponID, id string, endsAt time.Time) {
		note(is, heldThing{store, id, "coupon " + couponID, endsAt, 1})
	})
	if err != nil {
		return err
	}
	compare(is, want, func(h heldThing) {
		found(h.store, h.reservation, fmt.Sprintf("%s holds %d until %v", h.where, h.amount, h.endsAt), "an open reservation")
	})
	compare(want, is, func(h heldThing) {
		found(h.store, h.reservation, "open", fmt.Sprintf("%s holds %d until %v", h.where, h.amount, h.endsAt))
	})
	return nil
}

// clocksOf returns the time by the clock of each store, or that of its last reservation if the present clock is behind.
func clocksOf(tx *db.Tx) (map[int64]time.Time, error) {
	clocks, err := store.Clocks(tx)
	if err != nil {
		return nil, err
	}
	return clocks, db.Each(tx, func(r *reservation) []any { return []any{&r.StoreKey, db.Time(&r.EndedAt)} },
		func(r reservation) {
			if r.EndedAt.After(clocks[r.StoreKey]) {
				clocks[r.StoreKey] = r.EndedAt
			}
		}, `SELECT store_id, MAX(COALESCE(ended_at, created_at)) FROM reservations GROUP BY store_id`)
}

// compare visits what one side has more often than the other, in a fixed order.
func compare(one, other map[heldThing]int, visit func(h heldThing)) {
	all := slices.SortedFunc(maps.Keys(one), func(a, b heldThing) int {
		return cmp.Or(cmp.Compare(a.reservation, b.reservation), cmp.Compare(a.where, b.where))
	})
	for _, h := range all {
		if one[h] > other[h] {
			visit(h)
		}
	}
}
