package purchase

import "punchcard/core/feature"

// timeline returns at most limit purchases of a customer before the one with the id, or the newest ones.
func timeline(r *feature.TimelineReader, before string, limit int) ([]feature.TimelineEntry, error) {
	found, err := older(r.Tx, r.Store.Key, r.CustomerID, before, limit)
	entries := make([]feature.TimelineEntry, len(found))
	for i := range found {
		p := &found[i]
		entries[i] = feature.TimelineEntry{
			ID: p.CouponID, At: p.PurchasedAt, View: boughtView(r.Store, p, r.Tx.Now()), Older: p.CouponID,
		}
	}
	return entries, err
}
