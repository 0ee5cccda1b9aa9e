package purchase

import (
	"maps"
	"slices"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// OwnedIDs returns the ids of at most limit coupons of a customer, without cashbacks, which stay with who made them.
func (d *Desk) OwnedIDs(tx *db.Tx, storeKey int64, customerID string, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT coupon_id FROM purchases
		WHERE store_id = ? AND customer_id = ? `+d.withoutCashbacks()+` ORDER BY purchased_at, coupon_id LIMIT ?`,
		storeKey, customerID, limit)
}

// Handover is a change of the customer of coupons, in a merge of two customers. Lock locks the counters of the
// campaigns whose number of customers it changes, before the accounts, and Apply carries it out after them.
type Handover struct {
	StoreKey  int64
	From, To  string // customers
	CouponIDs []string

	counters map[string]campaign.Counters
}

// Lock locks the counters that Apply changes.
func (h *Handover) Lock(tx *db.Tx, d *Desk) error {
	changes, _, err := h.changes(tx, d)
	if err == nil {
		h.counters, err = campaign.LockCounters(tx, h.StoreKey, slices.Collect(maps.Keys(changes))...)
	}
	return err
}

// Apply gives the coupons of the locked account from to the customer of the other one. They count for the limits of
// the new customer. It returns db.ErrStale if purchases since Lock change other counters, and points.ErrReserved if a
// reservation keeps a coupon.
func (h *Handover) Apply(tx *db.Tx, d *Desk, from, to *points.Wallet) error {
	changes, counts, err := h.changes(tx, d)
	if err != nil {
		return err
	}
	var changed []campaign.Counters
	for id, n := range changes {
		k, locked := h.counters[id]
		if !locked {
			return db.ErrStale
		}
		k.Customers += n
		changed = append(changed, k)
	}
	moved := make([]*Purchase, len(h.CouponIDs))
	for i, id := range h.CouponIDs {
		moved[i] = &Purchase{Owned: Owned{CouponID: id}, StoreKey: h.StoreKey, CustomerID: h.To}
	}
	locked, err := lockSome(tx, h.StoreKey, h.CouponIDs)
	if err != nil {
		return err
	}
	// A basket without a customer keeps coupons, but nothing in the accounts.
	if slices.ContainsFunc(locked, func(c Purchase) bool { return c.IsHeld(tx.Now()) }) {
		return points.ErrReserved
	}
	if err := table.Update(tx, "customer_id", moved...); err != nil {
		return err
	}
	if err := from.MoveCounts(to, counts); err != nil {
		return err
	}
	return campaign.SaveCounters(tx, changed...)
}

// changes returns by how much the numbers of customers of campaigns change, and how many of the coupons count for the
// limits of each campaign.
func (h *Handover) changes(tx *db.Tx, d *Desk) (customers, counts map[string]int64, err error) {
	type row struct {
		campaignID string
		n          int64
	}
	customers, counts = map[string]int64{}, map[string]int64{}
	err = db.Each(tx, func(r *row) []any { return []any{&r.campaignID, &r.n} },
		func(r row) { counts[r.campaignID] = r.n }, `SELECT campaign_id, COUNT(*) FROM ? AS v (store, id)
			CROSS JOIN purchases p WHERE p.store_id = v.store AND p.coupon_id = v.id
			AND `+countsForLimits(d.Catalogue.Types)+` GROUP BY campaign_id`, tx.Among(h.StoreKey, h.CouponIDs...))
	if err != nil || len(counts) == 0 {
		return nil, nil, err
	}
	bought, err := points.Bought(tx, h.StoreKey, h.From, h.To)
	if err != nil {
		return nil, nil, err
	}
	has := func(n int64) int64 { return min(n, 1) }
	for id, n := range counts {
		from, to := bought[h.From][id], bought[h.To][id]
		if change := has(from-n) + has(to+n) - has(from) - has(to); change != 0 {
			customers[id] = change
		}
	}
	return customers, counts, nil
}

// Standing counts the coupons of a customer, and those that are used or cancelled.
type Standing struct{ Coupons, Used, Cancelled int64 }

// StandingOf counts the coupons of a customer, without cashbacks.
func (d *Desk) StandingOf(tx *db.Tx, storeKey int64, customerID string) (Standing, error) {
	s, _, err := db.One(tx, func(s *Standing) []any { return []any{&s.Coupons, &s.Used, &s.Cancelled} },
		`SELECT COUNT(*), COUNT(CASE WHEN used THEN 1 END), COUNT(CASE WHEN status = 'cancelled' THEN 1 END)
		FROM purchases WHERE store_id = ? AND customer_id = ? `+d.withoutCashbacks(), storeKey, customerID)
	return s, err
}

func (d *Desk) withoutCashbacks() string {
	return ` AND NOT ` + d.Catalogue.Types.Only("reward", isExchanged)
}
