package purchase

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Timeline returns at most limit purchases of a customer before the one with the id, or the newest ones.
func Timeline(tx *db.Tx, s *store.Store, customerID, before string, limit int) ([]customer.TimelineEntry, error) {
	found, err := older(tx, s.Key, customerID, before, limit)
	entries := make([]customer.TimelineEntry, len(found))
	for i := range found {
		p := &found[i]
		entries[i] = customer.TimelineEntry{
			ID: p.CouponID, At: p.PurchasedAt, View: boughtView(s, p, tx.Now()), Older: p.CouponID,
		}
	}
	return entries, err
}
