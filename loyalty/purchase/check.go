package purchase

import (
	"fmt"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Purchases is the table that rows of other packages refer to.
var Purchases = check.Table{Name: "purchases", ID: "coupon_id"}

// PaidQuery selects store_id, customer_id, coupon_id, status and cost of all purchases.
const PaidQuery = `SELECT store_id, customer_id, coupon_id, status, cost FROM purchases`

// Rules returns the invariants of purchases.
func Rules(types campaign.Types) []check.Rule {
	counted := countsForLimits(types)
	return []check.Rule{
		check.Refers("purchase.customer", Purchases, "customer_id", customer.Customers),
		check.Refers("purchase.used_pos", Purchases, "used_pos_id", pos.PointsOfSale),
		check.Refers("purchase.campaign", Purchases, "campaign_id", campaign.Campaigns),
		check.Refers("purchase.transaction", Purchases, "transaction_id", transaction.Transactions),
		check.Equal("purchase.sold", campaign.SoldTotals,
			check.Totals(`SELECT store_id, campaign_id AS id, COUNT(*) AS total FROM purchases WHERE `+counted+`
				GROUP BY store_id, campaign_id`)),
		check.Equal("purchase.made", campaign.PurchasesTotals,
			`SELECT store_id, campaign_id AS id, COUNT(*) AS total FROM purchases GROUP BY store_id, campaign_id`),
		check.Equal("purchase.customers", campaign.CustomersTotals,
			check.Totals(`SELECT store_id, campaign_id AS id, COUNT(DISTINCT customer_id) AS total FROM purchases
				WHERE `+counted+` GROUP BY store_id, campaign_id`)),
		check.Rows("purchase.positions", `SELECT store_id, campaign_id, MAX(position), COUNT(*) FROM purchases
			GROUP BY store_id, campaign_id HAVING MAX(position) <> COUNT(*) OR MIN(position) <> 1`),
		check.Rows("purchase.sold_twice", `SELECT store_id, campaign_id, COUNT(*), COUNT(DISTINCT position) FROM purchases
			GROUP BY store_id, campaign_id HAVING COUNT(DISTINCT position) <> COUNT(*)`),
		check.Fold("purchase.places", checkPlaces),
		check.Rows("purchase.receipt_sales", `SELECT p.store_id, p.coupon_id, p.receipt_sales, t.gross_value - t.returned
			FROM purchases p JOIN (`+transaction.ReceiptsQuery+`) t
			ON t.store_id = p.store_id AND t.transaction_id = p.used_for_transaction_id AND t.customer_id = p.customer_id
			WHERE p.receipt_sales <> t.gross_value - t.returned AND p.status <> 'cancelled'`),
		check.Rows("purchase.receipt_once", `SELECT store_id, MIN(coupon_id), COUNT(*), 1 FROM purchases
			WHERE receipt_sales IS NOT NULL AND status <> 'cancelled'
			GROUP BY store_id, customer_id, campaign_id, used_for_transaction_id HAVING COUNT(*) > 1`),
		check.Rows("purchase.code", `SELECT p.store_id, p.coupon_id, 'another code', 'that of its position'
			FROM purchases p JOIN (`+campaign.SoldCodesQuery+`) c ON c.store_id = p.store_id
			AND c.campaign_id = p.campaign_id AND c.position = p.position WHERE c.code <> p.code`),
		check.Rows("purchase.limit", `SELECT c.store_id, c.campaign_id, COUNT(*), MAX(c.usage_limit)
			FROM (`+types.LimitsQuery()+`) c JOIN purchases p ON p.store_id = c.store_id AND p.campaign_id = c.campaign_id
			WHERE `+counted+` GROUP BY c.store_id, c.campaign_id HAVING COUNT(*) > MAX(c.usage_limit)`),
		// Each customer who was merged into another one may have bought up to the limit.
		check.Rows("purchase.limit_per_user", `SELECT n.store_id, n.customer_id, n.bought, n.most
			FROM (SELECT c.store_id, p.customer_id, COUNT(*) AS bought, MAX(c.limit_per_user) AS most
				FROM (`+types.LimitsQuery()+`) c JOIN purchases p ON p.store_id = c.store_id AND p.campaign_id = c.campaign_id
				WHERE `+counted+` GROUP BY c.store_id, c.campaign_id, p.customer_id) n
			WHERE n.bought > n.most * (1 + (SELECT COUNT(*) FROM (`+customer.MergedQuery+`) m
				WHERE m.store_id = n.store_id AND m.merged_into = n.customer_id))`),
		check.Rows("purchase.paid", `SELECT p.store_id, p.coupon_id,
			COALESCE(CAST(s.value AS VARCHAR), 'nothing'), p.cost FROM purchases p
			LEFT JOIN (`+points.SpendsQuery+`) s ON s.store_id = p.store_id AND s.transfer_id = p.spend_id
			AND (s.customer_id = p.customer_id OR EXISTS (SELECT 1 FROM (`+customer.MergedQuery+`) m
				WHERE m.store_id = p.store_id AND m.customer_id = s.customer_id AND m.merged_into = p.customer_id))
			WHERE p.spend_id <> '' AND COALESCE(s.value, -1) <> p.cost OR p.spend_id = '' AND p.cost <> 0`),
		check.Rows("purchase.paid_once", `SELECT store_id, spend_id, COUNT(*), 1 FROM purchases WHERE spend_id <> ''
			GROUP BY store_id, spend_id HAVING COUNT(*) > 1`),
		check.Rows("purchase.refunded", `SELECT p.store_id, p.coupon_id, p.status || ', paid by a transfer that is ' ||
			s.state, 'points given back if, and only if, it is cancelled' FROM purchases p
			JOIN (`+points.SpendsQuery+`) s ON s.store_id = p.store_id AND s.transfer_id = p.spend_id
			WHERE (p.status = '`+Cancelled+`') <> (s.state = '`+points.Canceled+`')
			AND `+types.Only("p.reward", isLimited)),
		check.Rows("purchase.dates", purchaseDates),
		check.Rows("purchase.bought", `SELECT store_id, customer_id, SUM(stored), SUM(made) FROM (
			SELECT store_id, customer_id, campaign_id, bought AS stored, 0 AS made FROM (`+points.BoughtQuery+`) c
			UNION ALL SELECT store_id, customer_id, campaign_id, 0, 1 FROM purchases WHERE `+counted+`) AS all_counts
			GROUP BY store_id, customer_id, campaign_id HAVING SUM(stored) <> SUM(made)`),
		check.Fold("purchase.moment", checkMoments),
	}
}

// checkPlaces compares the view of purchases by campaign with the purchases. On PostgreSQL both are one table.
func checkPlaces(tx *db.Tx, found func(store int64, id, is, want string)) error {
	if tx.Engine() != "sqlite" {
		return nil
	}
	type row struct {
		store            int64
		couponID         string
		position, places int64
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.store, &r.couponID, &r.position, &r.places} },
		func(r row) {
			found(r.store, r.couponID, fmt.Sprintf("in %d places of the campaign", r.places),
				fmt.Sprintf("in place %d", r.position))
		},
		`SELECT store_id, coupon_id, MAX(position), SUM(place) FROM (
			SELECT store_id, coupon_id, campaign_id, position, 0 AS place FROM purchases
			UNION ALL SELECT store_id, coupon_id, campaign_id, position, 1 FROM purchase_positions
			UNION ALL SELECT store_id, coupon_id, campaign_id, position, 1 FROM recent_positions) AS places
			GROUP BY store_id, coupon_id HAVING SUM(place) <> 1 OR COUNT(*) <> 2
			OR MIN(position) <> MAX(position) OR MIN(campaign_id) <> MAX(campaign_id)`)
}

// purchaseDates finds coupons whose status, use and times contradict each other.
const purchaseDates = `SELECT store_id, coupon_id, status, CASE
	WHEN status NOT IN ('inactive', 'active', 'expired', 'cancelled') THEN 'a status'
	WHEN used AND used_at IS NULL THEN 'with the moment of use'
	WHEN NOT used AND used_at IS NOT NULL THEN 'without a moment of use'
	WHEN used AND status = 'inactive' THEN 'not used'
	WHEN status = 'inactive' AND active_since IS NULL THEN 'with a beginning'
	WHEN status = 'expired' AND active_to IS NULL THEN 'with an end'
	WHEN returned_amount > 0 AND NOT used THEN 'used, or nothing given back'
	WHEN cost < 0 OR price < 0 OR points_before < cost THEN 'paid out of the points before'
	ELSE 'active no longer than until its end' END
	FROM purchases WHERE status NOT IN ('inactive', 'active', 'expired', 'cancelled')
	OR used <> (used_at IS NOT NULL) OR used AND status = 'inactive'
	OR status = 'inactive' AND active_since IS NULL OR status = 'expired' AND active_to IS NULL
	OR returned_amount < 0 OR returned_amount > 0 AND NOT used
	OR cost < 0 OR price < 0 OR points_before < cost OR active_to < COALESCE(active_since, purchased_at)`

// checkMoments finds purchases whose ids do not begin with the time of buying, by which lists sort and filter.
func checkMoments(tx *db.Tx, found func(store int64, id, is, want string)) error {
	return db.Each(tx, func(p *Purchase) []any { return []any{&p.StoreKey, &p.CouponID, db.Time(&p.PurchasedAt)} },
		func(p Purchase) {
			first, next := db.FirstIDAt(p.PurchasedAt), db.FirstIDAt(p.PurchasedAt.Add(time.Microsecond))
			if p.CouponID < first || p.CouponID >= next {
				found(p.StoreKey, p.CouponID, "an id of another moment", "an id that begins as "+first)
			}
		}, `SELECT store_id, coupon_id, purchased_at FROM purchases`)
}
