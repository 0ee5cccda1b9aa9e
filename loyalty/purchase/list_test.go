package purchase_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// moments of the list tests are whole seconds around noon, in UTC; the shop is in Warsaw, two hours ahead.
var noon = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

func clockAtNoon() time.Time { return noon }

// stock is a shop with purchases of all kinds, in order of purchase, and one purchase in another store.
func stock(t *testing.T, d *db.DB, n int) (*shop, []*purchase.Purchase) {
	t.Helper()
	s := newShop(t, d)
	rng := rand.New(rand.NewPCG(7, 8))
	campaigns := []string{s.campaign(1, 0, nil), s.campaign(2, 0, nil)}
	customers := []string{db.NewID(), db.NewID(), db.NewID()}
	// A moment within a minute of noon, to the microsecond; none every third time.
	moment := func() time.Time {
		if rng.IntN(3) == 0 {
			return time.Time{}
		}
		return noon.Add(time.Duration(rng.IntN(120_000_000)-60_000_000) * time.Microsecond)
	}
	word := func(words ...string) string { return words[rng.IntN(len(words))] }
	amount := func() points.Amount { return points.Amount(rng.IntN(4) * 100) }
	all := make([]*purchase.Purchase, n)
	bought := noon.Add(-time.Minute)
	sold := map[string]int64{}
	for i := range all {
		if rng.IntN(4) > 0 { // some are bought at the same moment
			bought = bought.Add(time.Duration(rng.IntN(60_000_000/n)) * time.Microsecond)
		}
		p := &purchase.Purchase{
			Owned: purchase.Owned{
				CouponID: db.NewIDAt(bought), CampaignID: word(campaigns...), Code: word("A", "b", "Ż"),
				Status:      word(purchase.Inactive, purchase.Active, purchase.Expired, purchase.Cancelled),
				PurchasedAt: bought, ActiveSince: moment(), ActiveTo: moment(), UsedAt: moment(), Cost: amount(),
				DeliveryStatus: word("", "ordered", "shipped"), TransactionID: word("", db.NewID()),
			},
			StoreKey: s.Store.Key, CustomerID: word(customers...), Price: amount(), PointsBefore: amount(),
			Reward: word(campaign.ValueCode.Name, campaign.Cashback.Name), CampaignName: word("Ten", "ten", "Łan"),
			UsedForTransactionID: word("", db.NewID()), ReturnedAmount: amount().Money(), Email: word("", "a@example.com"),
			Phone: word("", "+48"), FirstName: word("Ida", "ida"), LastName: word("Berg", "Zorn"), ShippingAddress: "{}",
		}
		if p.ActiveSince.IsZero() && p.Status == purchase.Inactive {
			p.Status = purchase.Active // inactive coupons become active some day
		}
		if !p.ActiveTo.IsZero() && p.ActiveTo.Before(p.ActiveSince) {
			p.ActiveTo = p.ActiveSince
		}
		if rng.IntN(2) == 0 {
			p.TaxPrice = new(amount().Money())
		}
		p.Used = !p.UsedAt.IsZero()
		sold[p.CampaignID]++
		p.Position = sold[p.CampaignID]
		all[i] = p
	}
	s.Write(func(tx *db.Tx) error {
		var changed []campaign.Counters
		for id, n := range sold {
			_, k, err := s.desk.Catalogue.Find(tx, s.Store.Key, id)
			if err != nil {
				return err
			}
			k.Sold, k.NextPosition = n, n+1
			changed = append(changed, k)
		}
		if err := campaign.SaveCounters(tx, changed...); err != nil {
			return err
		}
		stranger := *all[0]
		stranger.StoreKey++
		return purchase.Insert(tx, s.Store, append(slices.Clone(all), &stranger))
	})
	return s, all
}

// asked is a filter with the purchases that it selects.
type asked struct {
	query string
	means func(p *purchase.Purchase) bool
}

// within is a pair of bounds in seconds from noon; nil is open.
func within(name string, from, to *int, of func(p *purchase.Purchase) time.Time) asked {
	var query []string
	for suffix, bound := range map[string]*int{"From": from, "To": to} {
		if bound != nil {
			at := noon.Add(time.Duration(*bound) * time.Second).Add(2 * time.Hour) // on the clocks of the shop
			query = append(query, name+suffix+"="+url.QueryEscape(at.Format(time.DateTime)))
		}
	}
	return asked{strings.Join(query, "&"), func(p *purchase.Purchase) bool {
		second := of(p).Truncate(time.Second).Sub(noon) / time.Second
		return !of(p).IsZero() && (from == nil || int(second) >= *from) && (to == nil || int(second) <= *to)
	}}
}

func both(a, b asked) asked {
	return asked{a.query + "&" + b.query, func(p *purchase.Purchase) bool { return a.means(p) && b.means(p) }}
}

func filters() []asked {
	everything := func(*purchase.Purchase) bool { return true }
	used := func(p *purchase.Purchase) bool { return p.Used }
	unused := func(p *purchase.Purchase) bool { return !p.Used }
	bought := func(p *purchase.Purchase) time.Time { return p.PurchasedAt }
	usage := func(p *purchase.Purchase) time.Time { return p.UsedAt }
	since := func(p *purchase.Purchase) time.Time { return p.ActiveSince }
	until := func(p *purchase.Purchase) time.Time { return p.ActiveTo }
	ordered := func(p *purchase.Purchase) bool { return p.DeliveryStatus == "ordered" }
	afternoon := func(p *purchase.Purchase) bool { return !p.PurchasedAt.Before(noon) }
	nothing := func(*purchase.Purchase) bool { return false }
	all := []asked{
		{"", everything}, {"used=true", used}, {"used=1", used}, {"used=TRUE", used}, {"used=false", unused},
		{"used=0", unused}, {"used=yes", everything}, {"used=", everything}, {"used=null", everything},
		{"used[]=true", everything}, {"used=%2574rue", used},
		{"deliveryStatus=ordered", ordered}, {"deliveryStatus=Ordered", ordered}, {"deliveryStatus=lost", everything},
		{"deliveryStatus=", everything}, {"deliveryStatus=null", everything},
		{"deliveryStatus=delivered", nothing},
		// If one bound is invalid, both are ignored.
		{"purchasedAtFrom=soon&purchasedAtTo=2031-05-01", everything},
		{"usageDateFrom=2031-05-02&usageDateTo=%2500", everything},
		{"activeToFrom=2031-13-01", everything}, {"activeSinceFrom=null&activeSinceTo=NULL", everything},
		// A date means its first moment, in the time zone of the shop.
		{"purchasedAtTo=2031-05-01", nothing},
		{"purchasedAtFrom=2031-05-01", everything}, {"purchasedAtFrom=2031-05-02", nothing},
		{"usageDateFrom=2031-05-01&usageDateTo=2031-05-02", used},
		// Offsets, the words of the form in any case, and what is encoded twice.
		{"purchasedAtFrom=2031-05-01T12:00:00Z", afternoon},
		{"purchasedAtFrom=2031-05-01t12:00:00z", afternoon},
		{"purchasedAtFrom=2031-05-01T14:00:00%2B02:00", afternoon},
		{"purchasedAtFrom=2031-05-01%252014%253A00", afternoon},
		{"purchasedAtFrom=+2031-05-01%2B14:00+", afternoon},
		both(both(asked{"used=true", used}, asked{"deliveryStatus=ordered", ordered}),
			within("purchasedAt", new(-30), nil, bought)),
		both(asked{"used=false", unused}, within("purchasedAt", new(-40), new(-10), bought)),
		both(asked{"used=false", unused}, within("activeTo", new(-40), new(30), until)),
		both(asked{"used=false", unused}, within("usageDate", new(-40), new(30), usage)),
		both(within("activeSince", new(-40), new(40), since), within("activeTo", new(-20), new(60), until)),
	}
	for name, of := range map[string]func(p *purchase.Purchase) time.Time{
		"purchasedAt": bought, "usageDate": usage, "activeSince": since, "activeTo": until,
	} {
		for _, bounds := range [][2]*int{
			{new(-20), new(20)}, {new(-20), nil}, {nil, new(20)}, {new(5), new(5)}, {new(9), new(8)},
		} {
			all = append(all, within(name, bounds[0], bounds[1], of))
		}
	}
	return all
}

func TestFiltersOfBoughtCampaigns(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s, all := stock(t, d, 400)
		for _, f := range filters() {
			var want []string
			for _, p := range all {
				if f.means(p) {
					want = append(want, p.CouponID)
				}
			}
			for _, part := range []api.Page{{Limit: 1000}, {Limit: 7, Offset: 3}, {Limit: 5, Offset: 1000}} {
				s.Read(func(tx *db.Tx) error {
					got, total, err := purchase.Page(tx, s.Store, f.query, part)
					from := min(part.Offset, len(want))
					cut := want[from:min(from+part.Limit, len(want))]
					if err != nil || total != int64(len(want)) || !slices.Equal(ids(got), cut) {
						t.Errorf("%q: %d of %d, want %d of %d, %v", f.query, len(got), total, len(cut), len(want), err)
					}
					ways, err := purchase.PageBothWays(tx, s.Store, f.query, part)
					if err != nil || !slices.Equal(ids(ways[0]), cut) || !slices.Equal(ids(ways[1]), cut) {
						t.Errorf("%q: gathered %d, walked %d, want %d, %v", f.query, len(ways[0]), len(ways[1]), len(cut), err)
					}
					return nil
				})
			}
		}
	})
}

func ids(purchases []purchase.Purchase) []string {
	var all []string
	for i := range purchases {
		all = append(all, purchases[i].CouponID)
	}
	return all
}

// key is a sort key of a list.
type key struct {
	missing bool
	number  int64
	text    string
}

func number[N int64 | points.Amount](n N) key { return key{number: int64(n)} }

func optionalText(text string) key { return key{missing: text == "", text: text} }

func optionalTime(t time.Time) key { return key{missing: t.IsZero(), number: t.UnixMicro()} }

func truth(b bool) key {
	if b {
		return key{number: 1}
	}
	return key{}
}

// sortKeys are the sort fields of the bought list.
func sortKeys(p *purchase.Purchase) map[string]key {
	tax := key{missing: true}
	if p.TaxPrice != nil {
		tax = number(points.Amount(*p.TaxPrice))
	}
	return map[string]key{
		"campaignId": {text: p.CampaignID}, "customerId": {text: p.CustomerID}, "couponId": {text: p.CouponID},
		"purchasedAt": optionalTime(p.PurchasedAt), "coupon": {text: p.Code}, "campaignType": {text: p.Reward},
		"campaignName": {text: p.CampaignName}, "customerEmail": optionalText(p.Email),
		"customerPhone": optionalText(p.Phone),
		"customerName":  {text: p.FirstName}, "customerLastname": {text: p.LastName}, "costInPoints": number(p.Price),
		"currentPointsAmount": number(p.PointsBefore), "taxPriceValue": tax, "used": truth(p.Used),
		"status": {text: p.StatusAt(noon)}, "activeSince": optionalTime(p.ActiveSince), "activeTo": optionalTime(p.ActiveTo),
		"transactionId": optionalText(p.TransactionID), "usedForTransactionId": optionalText(p.UsedForTransactionID),
		"returnedAmount": number(points.Amount(p.ReturnedAmount)), "deliveryStatus": {text: p.DeliveryStatus},
		"usageDate": optionalTime(p.UsedAt),
	}
}

// order sorts by the keys: missing ones last when ascending, first when descending, ties in order of purchase.
func order(of func(p *purchase.Purchase) key, descending bool) func(a, b *purchase.Purchase) int {
	return func(a, b *purchase.Purchase) int {
		x, y := of(a), of(b)
		c := cmp.Or(cmp.Compare(truth(x.missing).number, truth(y.missing).number), cmp.Compare(x.number, y.number),
			cmp.Compare(x.text, y.text))
		if x.missing && y.missing {
			c = 0
		}
		if descending {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(a.CouponID, b.CouponID))
	}
}

type lister func(tx *db.Tx, page api.Page) ([]purchase.Purchase, error)

// inOrder checks what a list shows under a sort name, both ways.
func (s *shop) inOrder(name string, all []*purchase.Purchase, of func(p *purchase.Purchase) key, list lister) {
	s.Helper()
	for _, descending := range []bool{false, true} {
		want := slices.SortedFunc(slices.Values(all), order(of, descending))
		s.shows(want, api.Page{Limit: 1000, Sort: name, Descending: descending}, list)
	}
}

func (s *shop) shows(want []*purchase.Purchase, page api.Page, list lister) {
	s.Helper()
	s.Read(func(tx *db.Tx) error {
		got, err := list(tx, page)
		for i := range want {
			if err != nil || len(got) != len(want) || got[i].CouponID != want[i].CouponID {
				s.Errorf("%+v: %d of %d, place %d differs, %v", page, len(got), len(want), i, err)
				break
			}
		}
		return nil
	})
	if page.Offset == 0 && len(want) > 108 { // a page far from the beginning holds what the long page has there
		page.Offset, page.Limit = 103, 5
		s.shows(want[103:108], page, list)
	}
}

func only(all []*purchase.Purchase, choose func(p *purchase.Purchase) bool) []*purchase.Purchase {
	return slices.DeleteFunc(slices.Clone(all), func(p *purchase.Purchase) bool { return !choose(p) })
}

func TestSortingOfBoughtCampaigns(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s, all := stock(t, d, 150)
		of := func(query string) lister {
			return func(tx *db.Tx, page api.Page) ([]purchase.Purchase, error) {
				got, _, err := purchase.Page(tx, s.Store, query, page)
				return got, err
			}
		}
		shipped := only(all, func(p *purchase.Purchase) bool { return p.DeliveryStatus == "shipped" })
		for name := range sortKeys(all[0]) {
			by := func(p *purchase.Purchase) key { return sortKeys(p)[name] }
			s.inOrder(name, all, by, of(""))
			s.inOrder(name, shipped, by, of("deliveryStatus=shipped"))
		}
		s.shows(all, api.Page{Limit: 1000, Sort: "firstName"}, of(""))
		slices.Reverse(all)
		s.shows(all, api.Page{Limit: 1000, Sort: "firstName", Descending: true}, of(""))
	})
}

// forFewAndMany runs a test with customers of up to ten purchases, whose ids the account has, with more, and with about
// 200, whose ids lists do or no longer read.
func forFewAndMany(t *testing.T, run func(t *testing.T, s *shop, all []*purchase.Purchase)) {
	for _, n := range []int{15, 60, 630} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
				s, all := stock(t, d, n)
				run(t, s, all)
			})
		})
	}
}

func TestSortingOfOneCustomersPurchases(t *testing.T) {
	dbtest.Both(t)
	forFewAndMany(t, func(t *testing.T, s *shop, all []*purchase.Purchase) {
		who := all[0].CustomerID
		own := only(all, func(p *purchase.Purchase) bool { return p.CustomerID == who })
		list := func(tx *db.Tx, page api.Page) ([]purchase.Purchase, error) {
			got, _, err := purchase.OwnPage(tx, s.Store, who, page)
			return got, err
		}
		s.inOrder("costInPoints", own, func(p *purchase.Purchase) key { return number(p.Cost) }, list)
		named := map[string]string{"purchaseAt": "purchasedAt", "reward": "campaignType"}
		for _, name := range []string{
			"purchaseAt", "campaignId", "coupon", "couponId", "used", "reward", "status", "activeSince", "activeTo",
			"transactionId", "usedForTransactionId", "returnedAmount", "deliveryStatus", "usageDate",
		} {
			s.inOrder(name, own, func(p *purchase.Purchase) key { return sortKeys(p)[cmp.Or(named[name], name)] }, list)
		}
	})
}

// Customers in one batch get what each would get alone: pages before, at and after their last rows.
func TestPagesOfSeveralCustomers(t *testing.T) {
	dbtest.Both(t)
	forFewAndMany(t, func(t *testing.T, s *shop, all []*purchase.Purchase) {
		var ids []string
		for i := range all {
			ids = append(ids, all[i].CustomerID)
		}
		ids = append(db.Distinct(ids), db.NewID()) // the last one bought nothing
		for _, asked := range []api.Page{
			{Limit: 3}, {Limit: 3, Offset: 3, Sort: "coupon", Descending: true}, {Limit: 5, Offset: 1000}, {Limit: 0},
		} {
			s.Read(func(tx *db.Tx) error {
				together, err := purchase.OwnPages(tx, s.Store, asked, ids...)
				if err != nil {
					return err
				}
				for _, id := range ids {
					got, total := together[id].Page()
					want, wantTotal, err := purchase.OwnPage(tx, s.Store, id, asked)
					if err != nil {
						return err
					}
					same := func(a, b purchase.Purchase) bool { return a.CouponID == b.CouponID && a.Code == b.Code }
					if !slices.EqualFunc(want, got, same) || total != wantTotal {
						t.Errorf("%+v: %d of %d, alone %d of %d", asked, len(got), total, len(want), wantTotal)
					}
					own := int64(len(only(all, func(p *purchase.Purchase) bool { return p.CustomerID == id })))
					if asked.Limit > 0 && total != own {
						t.Errorf("%+v: a total of %d, want %d", asked, total, own)
					}
				}
				return nil
			})
		}
	})
}

// Scans read in the order of ids, which is that of buying, and sort nothing. Otherwise the filter's own index is used.
func TestListsUseTheirIndexes(t *testing.T) {
	dbtest.Both(t)
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), clockAtNoon)
	s := newShop(t, d)
	const key = "PRIMARY KEY (store_id=?)"
	for _, c := range []struct {
		query  string
		gather bool
		index  string
		sorts  bool
	}{
		{"", false, key, false},
		{"used=true", false, key, false},
		{"used=true", true, "purchases_used (store_id=? AND used_at>?)", true},
		{"deliveryStatus=shipped", false, key, false},
		{"deliveryStatus=shipped", true, "purchases_delivery (store_id=? AND delivery_status=?)", true},
		{"used=true&deliveryStatus=shipped", true, "purchases_delivery (store_id=? AND delivery_status=?)", true},
		{"purchasedAtFrom=2031-05-01", false, "PRIMARY KEY (store_id=? AND coupon_id>?)", false},
		{"purchasedAtTo=2031-05-01&used=true", false, "PRIMARY KEY (store_id=? AND coupon_id<?)", false},
		{"usageDateFrom=2031-05-01", true, "purchases_used (store_id=? AND used_at>? AND used_at<?)", true},
		{"activeSinceTo=2031-05-01", true,
			"purchases_active_since (store_id=? AND status=? AND active_since>? AND active_since<?)", true},
		{"activeToTo=2031-05-01", true,
			"purchases_active_to (store_id=? AND status=? AND used=? AND active_to>? AND active_to<?)", true},
		{"activeToTo=2031-05-01", false, key, false},
	} {
		s.Read(func(tx *db.Tx) error {
			text, args, err := purchase.PageStatement(tx, s.Store, c.query, c.gather)
			if err != nil {
				return err
			}
			shown, err := plan(tx, text, args)
			if err != nil || !strings.Contains(shown, c.index) || strings.Contains(shown, "TEMP B-TREE") != c.sorts {
				t.Errorf("%q, gathered %v: %s, %v", c.query, c.gather, shown, err)
			}
			return nil
		})
	}
}

// The export returns every purchase once, in order of purchase, whatever the page size.
func TestExportIsWhole(t *testing.T) {
	dbtest.EachAt(t, clockAtNoon, func(t *testing.T, d *db.DB) {
		s, all := stock(t, d, 2500)
		s.Read(func(tx *db.Tx) error {
			found, err := purchase.Exported(tx, s.Store, "")
			if err != nil || len(found) != len(all) {
				t.Fatalf("%d of %d, %v", len(found), len(all), err)
			}
			for i := range all {
				if found[i].CouponID != all[i].CouponID {
					t.Fatalf("number %d differs", i)
				}
			}
			return nil
		})
	})
}
