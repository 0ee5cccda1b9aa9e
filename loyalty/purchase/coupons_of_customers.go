package purchase

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/db"
)

// OfCustomers returns the coupons of distinct customers, newest first, at most customerapi.PurchasesShown of each.
func OfCustomers(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]customerapi.CampaignPurchase, error) {
	byCustomer := map[string][]customerapi.CampaignPurchase{}
	return byCustomer, tx.Run(ownRows.SelectEach(tx, customerIDs, func(p ownRow) {
		byCustomer[p.customerID] = append(byCustomer[p.customerID], customerapi.CampaignPurchase{
			CanBeUsed: p.CanBeUsed(tx.Now()), PurchaseAt: api.Timestamp(p.PurchasedAt, s.Zone), CostInPoints: p.Cost,
			CampaignID: p.CampaignID, Used: p.Used, Coupon: customerapi.PurchasedCode{ID: p.CouponID, Code: p.Code},
			Status: p.StatusAt(tx.Now()), ActiveSince: api.OptionalTimestamp(p.ActiveSince, s.Zone),
			ActiveTo: api.OptionalTimestamp(p.ActiveTo, s.Zone), DeliveryStatus: p.DeliveryStatus,
			UsageDate: api.OptionalTimestamp(p.UsedAt, s.Zone),
		})
	}, `SELECT $key AS customer_id, `+owned.Columns()+` FROM purchases WHERE store_id = ? AND customer_id = $key
		ORDER BY purchased_at DESC, coupon_id DESC LIMIT ?`, s.Key, customerapi.PurchasesShown)...)
}

// Unused counts the coupons of distinct customers that can be used now or later, by customer and campaign.
func Unused(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string]map[string]int64, error) {
	byCustomer := map[string]map[string]int64{}
	type row struct {
		customerID, campaignID string
		n                      int64
	}
	return byCustomer, db.Each(tx, func(r *row) []any { return []any{&r.customerID, &r.campaignID, &r.n} }, func(r row) {
		if byCustomer[r.customerID] == nil {
			byCustomer[r.customerID] = map[string]int64{}
		}
		byCustomer[r.customerID][r.campaignID] = r.n
	}, `SELECT p.customer_id, p.campaign_id, COUNT(*) FROM ? AS v (store, id) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.id AND p.status IN ('inactive', 'active') AND NOT p.used
			AND (p.active_to IS NULL OR p.active_to >= ?) GROUP BY p.customer_id, p.campaign_id`,
		tx.Among(storeKey, customerIDs...), tx.Now().UnixMicro())
}
