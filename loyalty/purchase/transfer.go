package purchase

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/platform/db"
)

// OfTransfer returns the purchase that a transfer paid for, or nil. Both have the time of one transaction, and ids of
// coupons begin with it.
func OfTransfer(tx *db.Tx, s *store.Store, spend *points.Transfer) (*transfer.Purchase, error) {
	p, known, err := db.One(tx, func(p *transfer.Purchase) []any {
		return []any{&p.CampaignID, &p.CampaignName, &p.CouponID}
	}, `SELECT campaign_id, campaign_name, coupon_id FROM purchases
		WHERE store_id = ? AND coupon_id >= ? AND coupon_id < ? AND customer_id = ? AND spend_id = ?`,
		s.Key, db.FirstIDAt(spend.CreatedAt), db.FirstIDAt(spend.CreatedAt.Add(time.Microsecond)),
		spend.CustomerID, spend.ID)
	if err != nil || !known {
		return nil, err
	}
	return &p, nil
}
