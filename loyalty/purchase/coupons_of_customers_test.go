package purchase_test

import (
	"testing"

	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestCouponsOfCustomers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.Customers(3, 1000)
		first, second := s.campaign(2, 150, nil), s.campaign(0, 1, nil)
		buy := func(customerID, campaignID string, n int64) []purchase.Coupon {
			t.Helper()
			coupons, err := s.buy(customerID, campaignID, func(b *purchase.Buy) { b.Quantity = n })
			if err != nil {
				t.Fatal(err)
			}
			return coupons
		}
		buy(who[0], first, customerapi.PurchasesShown+5)
		last := buy(who[0], second, 1)[0]
		own := buy(who[1], first, 2)
		var found, none map[string][]customerapi.CampaignPurchase
		s.Read(func(tx *db.Tx) (err error) {
			if none, err = purchase.OfCustomers(tx, s.Store); err != nil {
				return err
			}
			found, err = purchase.OfCustomers(tx, s.Store, who...)
			return err
		})
		if len(none) != 0 || len(found) != 2 || len(found[who[0]]) != customerapi.PurchasesShown || len(found[who[1]]) != 2 {
			t.Fatalf("%d, %d, %d, %d", len(none), len(found), len(found[who[0]]), len(found[who[1]]))
		}
		newest := found[who[0]][0]
		if newest.CampaignID != second || newest.Coupon.ID != last.ID || newest.Coupon.Code != last.Code ||
			!newest.CanBeUsed || newest.CostInPoints != 0 || newest.Status != purchase.Active {
			t.Errorf("the newest is %+v", newest)
		}
		for i, c := range found[who[1]] {
			if c.Coupon.ID != own[1-i].ID || c.CostInPoints != 200 {
				t.Errorf("coupon %d of the other one is %+v", i, c)
			}
		}
	})
}
