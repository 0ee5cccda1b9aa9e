package purchase_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// buyers gives customers some purchases each. Three in a row have the same moment, and every fourth one is a cashback.
func (s *shop) buyers(counts ...int) map[string][]*purchase.Purchase {
	s.Helper()
	offered, byCustomer := s.campaign(1, 0, nil), map[string][]*purchase.Purchase{}
	var all []*purchase.Purchase
	for _, count := range counts {
		who := db.NewID()
		byCustomer[who] = nil
		for i := range count {
			at := noon.Add(time.Duration(i/3) * time.Microsecond)
			reward := campaign.ValueCode.Name
			if i%4 == 3 {
				reward = campaign.Cashback.Name
			}
			p := &purchase.Purchase{
				Owned: purchase.Owned{
					CouponID: db.NewIDAt(at), CampaignID: offered, Code: fmt.Sprint("C", i*7%10), PurchasedAt: at,
					Status: purchase.Active, Used: i%2 == 0,
				},
				StoreKey: s.Store.Key, CustomerID: who, Position: int64(len(all) + 1), Reward: reward, ShippingAddress: "{}",
			}
			if p.Used {
				p.UsedAt = at
			}
			all, byCustomer[who] = append(all, p), append(byCustomer[who], p)
		}
	}
	s.Write(func(tx *db.Tx) error { return purchase.Insert(tx, s.Store, all) })
	return byCustomer
}

// sameAs checks a page of a customer against the whole list.
func (s *shop) sameAs(want []*purchase.Purchase, who string, asked api.Page, read ownReader) {
	s.Helper()
	s.Read(func(tx *db.Tx) error {
		pages, err := read(tx, s.Store, asked, who)
		if err != nil {
			return err
		}
		got, total := pages[who].Page()
		from := min(asked.Offset, len(want))
		cut := want[from:min(from+asked.Limit, len(want))]
		same := slices.EqualFunc(got, cut, func(a purchase.Purchase, b *purchase.Purchase) bool {
			return a.CouponID == b.CouponID && a.Code == b.Code
		})
		if !same || total != int64(len(want)) {
			s.Errorf("%+v: %d of %d, want %d of %d", asked, len(got), total, len(cut), len(want))
		}
		return nil
	})
}

// ownReader is how administrators or customers list purchases of one customer.
type ownReader = func(*db.Tx, *store.Store, api.Page, ...string) (purchase.OwnResult, error)

// Pages are the same however many purchases a customer has: those whose ids are in the account, in other rows, or too
// many to be sorted by their ids.
func TestPagesOfFewAndManyPurchases(t *testing.T) {
	inOrder := func(*purchase.Purchase) key { return key{} }
	by := map[string]func(p *purchase.Purchase) key{
		"": inOrder, "unknown": inOrder,
		"couponId":   func(p *purchase.Purchase) key { return key{text: p.CouponID} },
		"purchaseAt": func(p *purchase.Purchase) key { return optionalTime(p.PurchasedAt) },
		"coupon":     func(p *purchase.Purchase) key { return key{text: p.Code} },
		"usageDate":  func(p *purchase.Purchase) key { return optionalTime(p.UsedAt) },
	}
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		for who, bought := range s.buyers(0, 1, 10, 11, 20, 21, 200, 201, 1000) {
			seen := only(bought, func(p *purchase.Purchase) bool { return p.Reward != campaign.Cashback.Name })
			for name, of := range by {
				for _, asked := range []api.Page{{Limit: 10, Sort: name}, {Limit: 10, Sort: name, Descending: true}} {
					for _, view := range []struct {
						all  []*purchase.Purchase
						read ownReader
					}{{bought, purchase.OwnPages}, {seen, purchase.OwnPagesOfCustomers}} {
						want := slices.SortedFunc(slices.Values(view.all), order(of, asked.Descending))
						if asked.Descending && (name == "" || name == "unknown") {
							slices.Reverse(want)
						}
						for _, offset := range []int{0, 5, 10, len(want) - 3, len(want), len(want) + 10} {
							asked.Offset = max(0, offset)
							s.sameAs(want, who, asked, view.read)
						}
					}
				}
			}
		}
	})
}
