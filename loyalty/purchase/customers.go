package purchase

import (
	"punchcard/api"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/points"
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
	listed := ofPurchases("store_id, previous_id, customer_id, " + ownedColumns)
	found, err := db.All(tx, func(r *row) []any { return append(r.row(), &r.customerID) },
		`WITH RECURSIVE own AS (
			SELECT `+listed+`, 1 AS place FROM ? CROSS JOIN (`+points.PurchasesQuery+`) a CROSS JOIN purchases p
				WHERE a.store_id = v.store AND a.customer_id = v.column1
					AND p.store_id = a.store_id AND p.coupon_id = a.last_purchase_id
			UNION ALL
			SELECT `+listed+`, o.place + 1 FROM own o CROSS JOIN purchases p
				WHERE p.store_id = o.store_id AND p.coupon_id = o.previous_id AND o.place < ?)
		SELECT `+ownedColumns+`, customer_id FROM own ORDER BY customer_id, coupon_id DESC`,
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
