package purchase

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Timeline returns at most limit purchases of a customer before the one with the id, or the newest ones.
func Timeline(tx *db.Tx, s *store.Store, customerID, before string, limit int) ([]customer.TimelineEntry, error) {
	q := db.NewSQL(`SELECT `+columns+` FROM purchases WHERE store_id = ? AND customer_id = ?`, s.Key, customerID)
	if before != "" {
		q.And(`coupon_id < ?`, before)
	}
	q.Add(` ORDER BY coupon_id DESC LIMIT ?`, limit)
	found, err := db.All(tx, (*Purchase).row, q.Text(), q.Args()...)
	entries := make([]customer.TimelineEntry, len(found))
	for i := range found {
		p := &found[i]
		entries[i] = customer.TimelineEntry{
			ID: p.CouponID, At: p.PurchasedAt, View: boughtView(s, p, tx.Now()), Older: p.CouponID,
		}
	}
	return entries, err
}
