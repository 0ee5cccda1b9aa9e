package purchase

import (
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// OfTransfer returns the purchase that a transfer paid for, or nil. Both have the time of one transaction, so that the
// index of the times finds it.
func OfTransfer(tx *db.Tx, s *store.Store, spend *points.Transfer) (*transfer.Purchase, error) {
	p, known, err := db.One(tx, func(p *transfer.Purchase) []any {
		return []any{&p.CampaignID, &p.CampaignName, &p.CouponID}
	}, `SELECT campaign_id, campaign_name, coupon_id FROM purchases
		WHERE store_id = $1 AND purchased_at = $2 AND customer_id = $3 AND spend_id = $4`,
		s.Key, spend.CreatedAt.UnixMicro(), spend.CustomerID, spend.ID)
	if err != nil || !known {
		return nil, err
	}
	return &p, nil
}
