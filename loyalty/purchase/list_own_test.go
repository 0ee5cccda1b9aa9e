package purchase_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
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

// Pages are the same however many purchases a customer has.
func TestPagesOfFewAndManyPurchases(t *testing.T) {
	dbtest.Both(t)
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

// A list of one customer in the order of buying reads its index up to the end of the page. The total of all pages needs
// nothing but the index, even where the list leaves out cashback.
func TestListsOfOneCustomerUseTheirIndex(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			type statement struct {
				text string
				args []any
			}
			var read []statement
			config := dbtest.Config(t, engine)
			config.Trace = func(text string, args []any) {
				if strings.Contains(text, "SELECT") && strings.Contains(text, "FROM purchases") {
					read = append(read, statement{text, args})
				}
			}
			d := dbtest.Open(t, config, clockAtNoon)
			s := newShop(t, d)
			s.buyers(slices.Repeat([]int{100}, 50)...)
			who := slices.Collect(maps.Keys(s.buyers(100)))[0]
			dbtest.Analyze(t, d)
			for _, asked := range []api.Page{
				{Limit: 10}, {Limit: 10, Descending: true}, {Limit: 10, Sort: "purchaseAt"},
				{Limit: 10, Sort: "purchaseAt", Descending: true},
			} {
				s.Read(func(tx *db.Tx) error {
					read = nil
					if _, err := purchase.OwnPagesOfCustomers(tx, s.Store, asked, who); err != nil || len(read) != 2 {
						t.Fatalf("%d statements, %v", len(read), err)
					}
					page, err := plan(tx, read[0].text, read[0].args)
					if err != nil || !strings.Contains(page, "purchases_customer") ||
						strings.Contains(page, "TEMP B-TREE FOR ORDER BY") ||
						strings.Contains(strings.ReplaceAll(page, "Incremental Sort", ""), "Sort  ") {
						t.Errorf("%+v: %s, %v", asked, page, err)
					}
					total, err := plan(tx, read[1].text, read[1].args)
					if err != nil || !strings.Contains(total, "COVERING INDEX purchases_customer") &&
						!strings.Contains(total, "Index Only Scan using purchases_customer") {
						t.Errorf("total of %+v: %s, %v", asked, total, err)
					}
					return nil
				})
			}
		})
	}
}
