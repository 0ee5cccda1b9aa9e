package purchase_test

import (
	"slices"
	"strings"
	"testing"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// With a customer and a campaign, every filter selects what it selects of their purchases.
func TestBoughtByOneCustomerOrOfOneCampaign(t *testing.T) {
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s, all := stock(t, d, 300)
		first := all[0]
		ofCampaign := asked{"campaignId=" + first.CampaignID,
			func(p *purchase.Purchase) bool { return p.CampaignID == first.CampaignID }}
		ofCustomer := asked{"customerId=" + strings.ToUpper(first.CustomerID),
			func(p *purchase.Purchase) bool { return p.CustomerID == first.CustomerID }}
		for _, f := range filters() {
			for _, chosen := range []asked{both(ofCampaign, f), both(ofCustomer, f), both(both(ofCustomer, ofCampaign), f)} {
				s.selects(chosen.query, ids(values(only(all, chosen.means))))
			}
		}
		for _, unknown := range []string{"campaignId=" + db.NewID(), "customerId=" + db.NewID(), "campaignId=soon"} {
			s.selects(unknown, nil)
		}
		s.selects("campaignId=null&customerId=", ids(values(all)))
		for name := range sortKeys(first) {
			by := func(p *purchase.Purchase) key { return sortKeys(p)[name] }
			s.inOrder(name, only(all, ofCustomer.means), by, s.lists(ofCustomer.query))
			if name == "purchasedAt" { // at the same moment, too
				by = func(p *purchase.Purchase) key { return key{number: p.Position} }
			}
			s.inOrder(name, only(all, ofCampaign.means), by, s.lists(ofCampaign.query))
		}
	})
}

// A code finds the purchase that has it, or all purchases of a campaign whose customers share it.
func TestBoughtByCode(t *testing.T) {
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		single := s.campaign(0, 0, func(draft *campaign.Draft) { draft.Codes = []string{"One", "Two", "Three"} })
		shared := s.campaign(0, 0, func(draft *campaign.Draft) {
			draft.SingleCoupon, draft.Codes = true, []string{"All of them"}
		})
		again := s.campaign(0, 0, func(draft *campaign.Draft) { draft.Codes = []string{"One"} })
		who := s.Customers(2, 100)
		var bought [][]string // ids of the coupons of each customer: single, shared, shared
		for _, id := range who {
			var coupons []string
			for _, of := range []string{single, shared, shared} {
				made, err := s.buy(id, of, nil)
				if err != nil {
					t.Fatal(err)
				}
				coupons = append(coupons, made[0].ID)
			}
			bought = append(bought, coupons)
		}
		made, err := s.buy(who[1], again, nil)
		if err != nil {
			t.Fatal(err)
		}
		ofShared := []string{bought[0][1], bought[0][2], bought[1][1], bought[1][2]}
		s.selects("code=Two", []string{bought[1][0]})
		s.selects("code=Three", nil) // nobody bought it
		s.selects("code=two", nil)
		s.selects("code=One", []string{bought[0][0], made[0].ID})
		s.selects("code=One&campaignId="+again, []string{made[0].ID})
		s.selects("code=One&customerId="+who[0], []string{bought[0][0]})
		s.selects("code=Two&campaignId="+again, nil)
		s.selects("code=All+of+them", ofShared)
		s.selects("code=All+of+them&used=false&campaignId="+shared, ofShared)
		s.selects("code=All+of+them&used=true", nil)
		s.selects("code=All+of+them&customerId="+who[1], bought[1][1:])
	})
}

// Purchases of a customer and of a campaign are found by an index. Those of a campaign need no sorting, and are walked
// in their order if there are many.
func TestFiltersUseTheirIndexes(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		campaigns, customers := make([]string, 20), make([]string, 500)
		for i := range campaigns {
			campaigns[i] = s.campaign(1, 0, nil)
		}
		for i := range customers {
			customers[i] = db.NewID()
		}
		many := manyPurchases(s, campaigns, customers)
		s.Write(func(tx *db.Tx) error {
			counters, err := campaign.LockCounters(tx, s.Store.Key, campaigns...)
			if err != nil {
				return err
			}
			for _, k := range counters {
				k.Sold = int64(len(many) / len(campaigns))
				k.NextPosition = k.Sold + 1
				if err := campaign.SaveCounters(tx, k); err != nil {
					return err
				}
			}
			return purchase.Insert(tx, s.Store, many)
		})
		dbtest.Analyze(t, d)
		positions := [2]string{"i USING PRIMARY KEY (store_id=? AND campaign_id=? AND position>?", "purchases_position"}
		key := [2]string{"PRIMARY KEY", "purchases_pkey"}
		own := [2]string{"purchases_customer", "purchases_customer"}
		for _, c := range []struct {
			query   string
			gather  bool
			indexes [2]string // of SQLite, of PostgreSQL
			sorts   bool
		}{
			{"campaignId=" + campaigns[3], false, positions, false},
			{"campaignId=" + campaigns[3] + "&used=true", false, positions, false},
			{"campaignId=" + campaigns[3] + "&deliveryStatus=shipped&purchasedAtFrom=2031-05-01", false, positions, false},
			{"campaignId=" + campaigns[3] + "&used=false", true, positions, true},
			{"campaignId=" + campaigns[3] + "&deliveryStatus=delivered", true,
				[2]string{"purchases_delivery", "purchases_delivery"}, true},
			{"campaignId=" + campaigns[3] + "&purchasedAtTo=2031-04-01", true,
				key, true},
			{"customerId=" + customers[3], true, own, false},
			{"customerId=" + customers[3] + "&used=true&deliveryStatus=shipped&purchasedAtFrom=2031-05-01", true, own, false},
			{"customerId=" + customers[3] + "&campaignId=" + campaigns[3], true, own, false},
		} {
			s.Read(func(tx *db.Tx) error {
				text, args, err := purchase.PageStatement(tx, s.Store, c.query, c.gather)
				if err != nil {
					return err
				}
				shown, err := plan(tx, text, args)
				index := c.indexes[0]
				if tx.Engine() == "postgres" {
					index = c.indexes[1]
				}
				shown, _, _ = strings.Cut(shown, "RIGHT") // SQLite sorts the recent positions, which are few
				sorts := strings.Contains(shown, "TEMP B-TREE") || strings.Contains(shown, "Sort")
				if err != nil || !strings.Contains(shown, index) || sorts != c.sorts || strings.Contains(shown, "Seq Scan") {
					t.Errorf("%q, gathered %v: %s, %v", c.query, c.gather, shown, err)
				}
				return nil
			})
		}
	})
}

// manyPurchases returns 20,000 purchases.
func manyPurchases(s *shop, campaigns, customers []string) []*purchase.Purchase {
	many := make([]*purchase.Purchase, 20_000)
	for i := range many {
		p := &purchase.Purchase{
			Owned: purchase.Owned{
				CampaignID: campaigns[i%len(campaigns)], Code: "A", Status: purchase.Active,
				PurchasedAt: noon.Add(-20_000_000_000 + 1_000_000),
			},
			StoreKey: s.Store.Key, CustomerID: customers[i*7%len(customers)], Position: int64(i/len(campaigns) + 1),
			Reward: campaign.ValueCode.Name, ShippingAddress: "{}",
		}
		p.CouponID = db.NewIDAt(p.PurchasedAt)
		if i%3 == 0 {
			p.Used, p.UsedAt, p.DeliveryStatus = true, noon, []string{"ordered", "shipped"}[i%2]
		}
		many[i] = p
	}
	return many
}

// The export has the filters of the list.
func TestExportIsFiltered(t *testing.T) {
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s, all := stock(t, d, 2500)
		one := all[0]
		for _, chosen := range []asked{
			{"campaignId=" + one.CampaignID, func(p *purchase.Purchase) bool { return p.CampaignID == one.CampaignID }},
			{"customerId=" + one.CustomerID, func(p *purchase.Purchase) bool { return p.CustomerID == one.CustomerID }},
			{"used=1", func(p *purchase.Purchase) bool { return p.Used }},
			{"code=A", func(p *purchase.Purchase) bool { return false }}, // no campaign has it
		} {
			s.Read(func(tx *db.Tx) error {
				found, err := purchase.Exported(tx, s.Store, chosen.query)
				if want := ids(values(only(all, chosen.means))); err != nil || !slices.Equal(ids(found), want) {
					t.Errorf("%q: %d, want %d, %v", chosen.query, len(found), len(want), err)
				}
				return nil
			})
		}
	})
}

// lists returns what a query shows.
func (s *shop) lists(query string) lister {
	return func(tx *db.Tx, page api.Page) ([]purchase.Purchase, error) {
		got, _, err := purchase.Page(tx, s.Store, query, page)
		return got, err
	}
}

// selects checks what a query shows, on the first page, on one in the middle, and by sorting and scanning.
func (s *shop) selects(query string, want []string) {
	s.Helper()
	for _, part := range []api.Page{{Limit: 1000}, {Limit: 7, Offset: 3}} {
		s.Read(func(tx *db.Tx) error {
			got, total, err := purchase.Page(tx, s.Store, query, part)
			from := min(part.Offset, len(want))
			cut := want[from:min(from+part.Limit, len(want))]
			if err != nil || total != int64(len(want)) || !slices.Equal(ids(got), cut) {
				s.Errorf("%q: %d of %d, want %d of %d, %v", query, len(got), total, len(cut), len(want), err)
			}
			ways, err := purchase.PageBothWays(tx, s.Store, query, part)
			if err != nil || !slices.Equal(ids(ways[0]), cut) || !slices.Equal(ids(ways[1]), cut) {
				s.Errorf("%q: gathered %d, walked %d, want %d, %v", query, len(ways[0]), len(ways[1]), len(cut), err)
			}
			return nil
		})
	}
}

func values(pointers []*purchase.Purchase) []purchase.Purchase {
	all := make([]purchase.Purchase, len(pointers))
	for i, p := range pointers {
		all[i] = *p
	}
	return all
}
