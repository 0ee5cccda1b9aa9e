package purchase

import (
	"punchcard/api"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// OfCustomers returns the coupons of distinct customers, newest first, at most customerapi.PurchasesShown of each.
func OfCustomers(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]customerapi.CampaignPurchase, error) {
	byCustomer := map[string][]customerapi.CampaignPurchase{}
	if len(customerIDs) == 0 {
		return byCustomer, nil
	}
	type row struct {
		Owned
		customerID string
	}
	found, err := db.All(tx, func(r *row) []any { return append(r.row(), &r.customerID) },
		`SELECT `+ownedColumns+`, customer_id FROM (
			SELECT p.*, ROW_NUMBER() OVER (PARTITION BY p.customer_id ORDER BY p.coupon_id DESC) AS place
			FROM ? CROSS JOIN purchases p WHERE p.store_id = v.store AND p.customer_id = v.column1) AS newest
		WHERE place <= ? ORDER BY customer_id, coupon_id DESC`,
		tx.Among(s.Key, customerIDs...), customerapi.PurchasesShown)
	for i := range found {
		p := &found[i]
		byCustomer[p.customerID] = append(byCustomer[p.customerID], customerapi.CampaignPurchase{
			CanBeUsed: p.CanBeUsed(tx.Now()), PurchaseAt: api.Timestamp(p.PurchasedAt, s.Zone), CostInPoints: p.Cost,
			CampaignID: p.CampaignID, Used: p.Used, Coupon: customerapi.PurchasedCode{ID: p.CouponID, Code: p.Code},
			Status: p.StatusAt(tx.Now()), ActiveSince: api.OptionalTimestamp(p.ActiveSince, s.Zone),
			ActiveTo: api.OptionalTimestamp(p.ActiveTo, s.Zone), DeliveryStatus: p.DeliveryStatus,
			UsageDate: api.OptionalTimestamp(p.UsedAt, s.Zone),
		})
	}
	return byCustomer, err
}
