package cashback

import (
	"punchcard/loyalty/purchase"
	"punchcard/platform/check"
)

// Rules returns the consistency rules of cashbacks.
func Rules() []check.Rule {
	return []check.Rule{
		// Refunded points with a purchase that still counts would be money for nothing.
		check.Rows("cashback.purchase", `SELECT c.store_id, c.coupon_id,
			COALESCE(p.status || ' with a cost of ' || CAST(p.cost AS VARCHAR), 'no purchase'), CASE WHEN c.state = 2
			THEN 'cancelled' ELSE 'active' END || ' with a cost of ' || CAST(c.points AS VARCHAR) FROM cashbacks c
			LEFT JOIN (`+purchase.PaidQuery+`) p ON p.store_id = c.store_id AND p.customer_id = c.customer_id
			AND p.coupon_id = c.coupon_id
			WHERE p.coupon_id IS NULL OR p.cost <> c.points OR (p.status = 'cancelled') <> (c.state = 2)`),
		// A payment that ended must not be ordered again, and the amount ordered is what the points
		// are worth.
		check.Rows("cashback.message", `SELECT m.store_id, m.message_id,
			m.state || ', amount ' || CAST(m.amount AS VARCHAR), COALESCE('a payment in state ' ||
			CAST(c.state AS VARCHAR) || ', amount ' || CAST(c.reward_amount AS VARCHAR), 'a cashback')
			FROM cashback_messages m LEFT JOIN cashbacks c ON c.store_id = m.store_id
			AND c.customer_id = m.customer_id AND c.coupon_id = m.coupon_id
			WHERE c.coupon_id IS NULL OR c.reward_amount <> m.amount
			OR c.state <> 0 AND m.state IN ('waiting', 'failed')`),
	}
}
