package purchase

import (
	"cmp"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// count adds n times what the coupon counts to the sums of its days and to the uses of its campaign.
func (p *Purchase) count(tx *db.Tx, s *store.Store, n int64) {
	add := rollup.Adding(tx, s)
	p.countIn(func(at time.Time, kind rollup.Kind, one int64) { add(at, kind, n*one) }, rollup.AddingRewards(tx, s, n))
	if p.Used && p.Status != Cancelled {
		campaign.AddUses(tx, s, p.CampaignID, p.UsedAt, n)
	}
}

// countIn adds what the coupon counts to the sums of its days. A cancelled one counts nowhere.
func (p *Purchase) countIn(add rollup.Adder, addReward rollup.RewardAdder) {
	if p.Status == Cancelled {
		return
	}
	add(p.PurchasedAt, rollup.CouponsBought, 1)
	addReward(p.PurchasedAt, rollup.ByLevel, p.CampaignID, p.LevelID, rollup.RewardSums{Bought: 1, Points: int64(p.Cost)})
	if p.Used {
		add(p.UsedAt, rollup.CouponsUsed, 1)
		used := rollup.RewardSums{Used: 1}
		if p.ReceiptSales != nil {
			used.Receipts, used.Sales = 1, int64(*p.ReceiptSales)
		}
		addReward(p.UsedAt, rollup.ByLevel, p.CampaignID, p.UsedLevelID, used)
		addReward(p.UsedAt, rollup.ByPOS, p.CampaignID, cmp.Or(p.UsedPOSID, p.ReceiptPOSID), used)
	}
}

// RollUp counts all coupons of a store as the sums count them, and calls each for those that are not cancelled.
func RollUp(tx *db.Tx, storeKey int64, add rollup.Adder, addReward rollup.RewardAdder, each func(p *Purchase),
) error {
	return db.Each(tx, func(p *Purchase) []any {
		return []any{&p.CampaignID, &p.Status, &p.Used, db.Time(&p.PurchasedAt), db.Time(&p.UsedAt), &p.Cost, &p.LevelID,
			&p.UsedLevelID, &p.UsedPOSID, &p.ReceiptPOSID, &p.ReceiptSales}
	}, func(p Purchase) {
		p.countIn(add, addReward)
		if p.Status != Cancelled {
			each(&p)
		}
	}, `SELECT campaign_id, status, used, purchased_at, used_at, cost, level_id, used_level_id, used_pos_id,
			receipt_pos_id, receipt_sales FROM purchases WHERE store_id = ?`, storeKey)
}

// PurchaseDays calls visit for the days of all purchases of distinct customers.
func PurchaseDays(tx *db.Tx, s *store.Store, customerIDs []string,
	visit func(customerID string, day calendar.Day)) error {
	return db.Each(tx, func(p *Purchase) []any { return []any{&p.CustomerID, db.Time(&p.PurchasedAt)} },
		func(p Purchase) { visit(p.CustomerID, calendar.DayOf(p.PurchasedAt, s.Zone)) },
		`SELECT p.customer_id, p.purchased_at FROM ? AS v (store, id)
			CROSS JOIN purchases p WHERE p.store_id = v.store AND p.customer_id = v.id`,
		tx.Among(s.Key, customerIDs...))
}
