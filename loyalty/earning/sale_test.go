package earning

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// general makes a rule pay the points for each unit of the currency.
func general(pointValue Amount) func(*Rule) {
	return func(r *Rule) { r.Definition.General.PointValue = pointValue.Rate() }
}

func (s *shop) mustSell(sale *transaction.Transaction) {
	s.t.Helper()
	if err := s.sold(sale); err != nil {
		s.t.Fatal(err)
	}
}

// A sale makes one lot, with the store's lock and expiry, dated now whenever the sale was.
func TestSaleMakesOneLot(t *testing.T) {
	zone := warsaw(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			now := time.Date(2031, 3, 3, 10, 15, 0, 0, zone)
			s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return now }),
				func(settings *store.Settings) { settings.AllTimeNotLocked, settings.PointsDaysLocked = false, 7 })
			who := s.customer()
			s.rule(Spending, 0, general(150), func(r *Rule) { r.Name = "Base" })
			s.rule(ProductPurchase, 5, func(r *Rule) { r.Name, r.Definition.SKUs = "Bonus", []string{"B"} })
			sale := s.sale(who, "A 30; B 10")
			sale.PurchasedAt = now.AddDate(0, -1, 0)
			s.mustSell(sale)
			want := points.Transfer{
				StoreKey: s.store.Key, CustomerID: who, Type: points.Adding, State: points.Pending, Value: 6_500,
				Available: 6_500, Open: true, CreatedAt: now.UTC(), LockedUntil: now.AddDate(0, 0, 7).UTC(),
				ExpiresAt: time.Date(2031, 4, 9, 23, 59, 59, 0, zone).UTC(), Issuer: points.BySystem,
				Comment: "Base, Bonus", TransactionID: sale.ID,
			}
			s.read(func(tx *db.Tx) error {
				all, err := points.Every(tx, s.store.Key, who)
				if err != nil || len(all) != 1 {
					t.Fatalf("%d lots, %v", len(all), err)
				}
				got := all[0]
				got.ID = ""
				if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); diff != "" {
					t.Error(diff)
				}
				return nil
			})
			if a := s.account(who); a.Points != 0 || a.Locked != 6_500 {
				t.Errorf("balance %v, locked %v", a.Points, a.Locked)
			}
		})
	}
}

func TestSaleIsHeldToConditions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who, blocked := s.customer(), s.customer()
		s.write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.store, blocked) })
		pays := func(name string, edit func(*Rule)) {
			s.rule(Spending, 0, general(100), edit, func(r *Rule) { r.Name = name })
		}
		yesterday := s.db.Now().AddDate(0, 0, -1)
		pays("always", func(*Rule) {})
		pays("yesterday", func(r *Rule) {
			r.AllTime, r.StartAt, r.EndAt = false, yesterday.Add(-time.Hour), yesterday.Add(time.Hour)
		})
		pays("in one shop", func(r *Rule) { r.Definition.POS = []string{otherID} })
		pays("silver", func(r *Rule) { r.Definition.Levels = []string{s.silver} })
		pays("off", func(r *Rule) { r.Active = false })
		for i, step := range []struct {
			edit func(*transaction.Transaction)
			want string
		}{
			{func(*transaction.Transaction) {}, "1 always"},
			{func(sale *transaction.Transaction) { sale.PurchasedAt = yesterday }, "2 always, yesterday"},
			{func(sale *transaction.Transaction) { sale.POSID = otherID }, "2 always, in one shop"},
			{func(sale *transaction.Transaction) { sale.POSID = levelID }, "1 always"},
		} {
			sale := s.sale(who, "A 1")
			step.edit(sale)
			s.mustSell(sale)
			if lots := strings.Split(s.lots(who), ", 1 "); !strings.HasSuffix(s.lots(who), step.want) {
				t.Errorf("step %d: lots %v, want %s", i, lots, step.want)
			}
		}
		s.mustSell(s.sale(blocked, "A 1"))
		if got := s.lots(blocked); got != "" {
			t.Errorf("a customer who is not active got %s", got)
		}
	})
}

func TestFirstSalePaysOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.rule(Event, 50, named(firstTransaction))
		s.rule(Event, 20, named(firstTransaction))
		s.rule(Spending, 0, general(100))
		who, other := s.customer(), s.customer()
		answers := atOnce(20, func(i int) string { return fmt.Sprint(s.sold(s.sale([]string{who, other}[i%2], "A 1"))) })
		if answers["<nil>"] != 20 {
			t.Fatalf("sales: %v", answers)
		}
		for _, id := range []string{who, other} {
			if a := s.account(id); a.Points != 6_000 {
				t.Errorf("balance %v of 10 sales of 1 and 50 for the first, lots %s", a.Points, s.lots(id))
			}
		}
		s.read(func(tx *db.Tx) error {
			all, err := points.Every(tx, s.store.Key, who)
			for i := range all {
				if first := all[i].Comment == firstTransaction; first != (all[i].TransactionID == "") {
					t.Errorf("%s belongs to the sale %q", all[i].Comment, all[i].TransactionID)
				}
			}
			return err
		})
	})
}

// A customer whose sales all came back has no sale again, but the first one was there already.
func TestFirstSalePaysOnceInALife(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		rule := s.rule(Event, 50, named(firstTransaction))
		who, other := s.customer(), s.customer()
		comesBack := func(customerID string) {
			s.write(func(tx *db.Tx) error {
				c, err := customer.LockRow(tx, s.store.Key, customerID)
				if err != nil {
					return err
				}
				c.Purchases.Count--
				return customer.SavePurchases(tx, c)
			})
		}
		for range 3 {
			s.mustSell(s.sale(who, "A 1"))
			comesBack(who)
		}
		if got := s.lots(who); got != "50 "+firstTransaction {
			t.Errorf("three sales that came back earned %s", got)
		}
		s.write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.store, other) })
		s.mustSell(s.sale(other, "A 1")) // the rule does not pay who is blocked
		comesBack(other)
		s.write(func(tx *db.Tx) error { return customer.Activate(tx, s.store, other) })
		s.mustSell(s.sale(other, "A 1"))
		if got := s.lots(other); got != "" {
			t.Errorf("a second sale earned %s of rule %s", got, rule.ID)
		}
	})
}

// coupons lists what the customer has, as "code status cost transaction".
func (s *shop) coupons(customerID string) []string {
	s.t.Helper()
	var texts []string
	s.read(func(tx *db.Tx) error {
		type row struct {
			code, status, transactionID string
			cost                        Amount
		}
		all, err := db.All(tx, func(r *row) []any { return []any{&r.code, &r.status, &r.cost, &r.transactionID} },
			`SELECT code, status, cost, transaction_id FROM purchases
			WHERE store_id = $1 AND customer_id = $2 ORDER BY coupon_id`, s.store.Key, customerID)
		for _, r := range all {
			texts = append(texts, fmt.Sprintf("%s %s %s %s", r.code, r.status, r.cost, r.transactionID))
		}
		return err
	})
	return texts
}

func TestInstantRewardsOfSales(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		gives := func(campaignID string) func(*Rule) {
			return func(r *Rule) { r.Definition.RewardCampaignID = campaignID }
		}
		percentage := func(c *campaign.Draft) {
			c.Reward, c.Definition.Percentage, c.Cost, c.SingleCoupon = campaign.PercentageDiscount, 10, 0, true
		}
		s.rule(InstantReward, 0, gives(s.campaign(2)))
		s.rule(InstantReward, 0, gives(s.campaign(0, percentage)))
		s.rule(InstantReward, 0, gives(s.campaign(0)))
		s.rule(InstantReward, 0, gives(s.campaign(9, func(c *campaign.Draft) { c.Active = false })))
		s.rule(InstantReward, 0, gives(otherID))
		s.rule(Spending, 0, general(100))
		who := s.customer()
		var want []string
		for _, c := range []struct{ lines, code, voucher string }{
			{"A 47", "CODE0", "5"}, {"A 4.99", "CODE1", ""}, {"A 5", "", "1"}, {"A 0", "", ""},
		} {
			sale := s.sale(who, c.lines)
			s.mustSell(sale)
			for _, code := range []string{c.code, c.voucher} {
				if code != "" {
					want = append(want, code+" active 0 "+sale.ID)
				}
			}
		}
		if diff := cmp.Diff(want, s.coupons(who)); diff != "" {
			t.Error(diff)
		}
		if a := s.account(who); a.Points != 5_699 || a.Used != 0 {
			t.Errorf("balance %v, used %v", a.Points, a.Used)
		}
	})
}

// Coupons run out while many sales ask for them and buyers take them too: none is given twice, and every
// sale earns its points.
func TestInstantRewardsUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ids := []string{s.campaign(10), s.campaign(10)}
		for _, id := range ids {
			s.rule(InstantReward, 0, func(r *Rule) { r.Definition.RewardCampaignID = id })
		}
		s.rule(Spending, 0, general(5_000))
		customers := []string{s.customer(), s.customer(), s.customer()}
		answers := atOnce(60, func(i int) string {
			who := customers[i%len(customers)]
			if i%6 < 3 {
				return fmt.Sprint("sale ", s.sold(s.sale(who, "A 1")))
			}
			_, err := s.desk.Buy(background, purchase.Buy{
				Store: s.store, CustomerID: who, CampaignID: ids[i%2], Quantity: 1, Administrator: true,
				WithoutPoints: true, Locale: "en",
			})
			return fmt.Sprint("buy ", err)
		})
		if answers["sale <nil>"] != 30 || answers["buy <nil>"]+answers["buy No coupons left"] != 30 {
			t.Errorf("answers %v", answers)
		}
		var all int
		for _, who := range customers {
			all += len(s.coupons(who))
			if a := s.account(who); a.Points != 50_000 {
				t.Errorf("balance %v of 10 sales", a.Points)
			}
		}
		if all != 20 {
			t.Errorf("%d coupons of 20 codes", all)
		}
	})
}

func TestSimulationGivesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.customer()
		s.rule(Spending, 0, general(230))
		s.rule(Event, 50, named(firstTransaction))
		s.rule(InstantReward, 0, func(r *Rule) { r.Definition.RewardCampaignID = s.campaign(5) })
		s.read(func(tx *db.Tx) error {
			got, err := New(s.desk).Simulate(tx, s.store, s.sale(who, "A 1; B 2"))
			if got != 690 {
				t.Errorf("%s points", got)
			}
			return err
		})
		if lots, coupons := s.lots(who), s.coupons(who); lots != "" || coupons != nil {
			t.Errorf("lots %s, coupons %v", lots, coupons)
		}
	})
}
