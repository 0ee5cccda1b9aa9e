package purchase

import (
	"time"

	"punchcard/platform/db"
)

const reportColumns = "coupon_id, customer_id, campaign_id, status, used, purchased_at, active_since, active_to, " +
	"used_at, cost, used_for_transaction_id"

func (p *Purchase) reportRow() []any {
	return []any{
		&p.CouponID, &p.CustomerID, &p.CampaignID, &p.Status, &p.Used, db.Time(&p.PurchasedAt),
		db.Time(&p.ActiveSince), db.Time(&p.ActiveTo), db.Time(&p.UsedAt), &p.Cost, &p.UsedForTransactionID,
	}
}

// After returns coupons of a store that follow one, in the order of buying, with what reports sum up.
func After(tx *db.Tx, storeKey int64, couponID string, limit int) ([]Purchase, error) {
	return db.All(tx, (*Purchase).reportRow, `SELECT `+reportColumns+` FROM purchases
		WHERE store_id = ? AND coupon_id > ? ORDER BY coupon_id LIMIT ?`, storeKey, couponID, limit)
}

// UsedAfterOthers returns those of the coupons, by id, before which another of the same campaign was bought that was
// used for the same receipt in a span of time.
func UsedAfterOthers(tx *db.Tx, storeKey int64, coupons []*Purchase, from, before time.Time) (map[string]bool, error) {
	repeated := map[string]bool{}
	if len(coupons) == 0 {
		return repeated, nil
	}
	rows := make([][]any, len(coupons))
	for i, p := range coupons {
		rows[i] = []any{p.CustomerID, p.UsedForTransactionID, p.CampaignID, p.CouponID}
	}
	return repeated, db.Each(tx, func(id *string) []any { return []any{id} }, func(id string) { repeated[id] = true },
		`SELECT v.coupon FROM ? AS v (store, customer, sale, campaign, coupon) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.customer AND p.used_for_transaction_id = v.sale
			AND p.used_for_transaction_id <> '' AND p.campaign_id = v.campaign AND p.coupon_id < v.coupon AND p.used
			AND p.status <> 'cancelled' AND p.used_at >= ? AND p.used_at < ?`,
		tx.AmongRows(storeKey, []string{"TEXT", "TEXT", "TEXT", "TEXT"}, rows...), from.UnixMicro(), before.UnixMicro())
}

// CountUsed counts the coupons that customers used in spans of time. among holds customers, with the beginning and the
// end of each span.
func CountUsed(tx *db.Tx, among *db.Keys) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM ? AS v (store, customer, since, until) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.customer AND p.used AND p.used_at >= v.since
			AND p.used_at < v.until`, among)
}
