package purchase_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// till is a shop with a percentage campaign of a tenth, whose vouchers last 10 days.
type till struct {
	*shop
	clock    *dbtest.Clock
	campaign string
}

func newTill(t *testing.T, engine string) *till {
	clock := dbtest.NewClock(time.Date(2031, 5, 1, 8, 0, 0, 0, time.UTC))
	s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
	return &till{s, clock, s.campaign(0, 0, func(draft *campaign.Draft) {
		draft.Reward, draft.Definition.Percentage, draft.DaysValid = campaign.PercentageDiscount, 10, 10
	})}
}

func onEachTill(t *testing.T, run func(t *testing.T, s *till)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		run(t, newTill(t, engine))
	})
}

// document registers a sale of whole units, or a return if it revises a sale.
func (s *till) document(number, email, revised string, whole int64) *transaction.Transaction {
	s.Helper()
	draft := transaction.Transaction{
		DocumentNumber: number, Type: transaction.Sell, RevisedDocument: revised,
		CustomerData: transaction.CustomerData{Email: email},
		Items:        []transaction.Item{{Quantity: 1_000, GrossValue: decimal.Whole(whole).Money()}},
	}
	if revised != "" {
		draft.Type = transaction.Return
	}
	var made *transaction.Transaction
	feature.Connect(s.DB, feature.On(s.desk.Returned))
	s.Write(func(tx *db.Tx) (err error) {
		made, err = transaction.Register(tx, s.Store, draft, transaction.Hooks{})
		return err
	})
	return made
}

// voucher sells a voucher of a tenth of the sale and, if another sale is given, uses it for that.
func (s *till) voucher(who string, of, usedFor *transaction.Transaction) purchase.Coupon {
	s.Helper()
	bought, err := s.buy(who, s.campaign, func(b *purchase.Buy) {
		b.Administrator, b.TransactionID, b.TransactionValue = true, of.ID, &of.Amounts.Gross
	})
	if err != nil {
		s.Fatal(err)
	}
	if usedFor != nil {
		s.use(who, bought[0], usedFor)
	}
	return bought[0]
}

func (s *till) use(who string, coupon purchase.Coupon, usedFor *transaction.Transaction) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		return purchase.MarkUsed(tx, s.Store, []purchase.Mark{{
			CustomerID: who, CampaignID: s.campaign, CouponID: coupon.ID, Code: coupon.Code, Used: true,
			TransactionID: usedFor.ID,
		}})
	})
}

func (s *till) email(who string) string {
	var c *customer.Customer
	s.Read(func(tx *db.Tx) (err error) {
		c, err = customer.Find(tx, s.Store.Key, who)
		return err
	})
	return c.Email
}

// vouchers describes each voucher of a customer: code, status, U if used, and the amount given back.
func (s *till) vouchers(who string) string {
	s.Helper()
	var all []string
	for _, p := range s.bought(who) {
		used := ""
		if p.Used {
			used = "U"
		}
		all = append(all, fmt.Sprintf("%s %s%s %v", p.Code, p.Status, used, p.ReturnedAmount))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (s *till) bought(who string) (found []purchase.Purchase) {
	s.Helper()
	s.Read(func(tx *db.Tx) (err error) {
		found, err = purchase.Exported(tx, s.Store, "")
		return err
	})
	return slices.DeleteFunc(found, func(p purchase.Purchase) bool { return p.CustomerID != who })
}

func TestReturnsGiveUsedVouchersBack(t *testing.T) {
	onEachTill(t, func(t *testing.T, s *till) {
		ids := s.Customers(2, 0)
		ida, ole := ids[0], ids[1]
		email := s.email(ida)
		first := s.document("S-1", email, "", 80)
		paid := s.document("S-2", email, "", 30)
		s.voucher(ida, first, paid)
		s.voucher(ole, s.document("S-3", s.email(ole), "", 50), paid) // another customer, who returns nothing
		s.clock.Set(s.clock.Now().Add(24 * time.Hour))

		s.document("R-1", email, "S-2", 10)
		if got := s.vouchers(ida); got != "2.67 active 0, 8 activeU 2.67" {
			t.Errorf("after a third: %s", got)
		}
		s.document("R-2", email, "S-2", 10)
		s.document("R-3", email, "S-2", 99)
		s.document("R-4", email, "S-2", 1)
		if got := s.vouchers(ida); got != "2.66 active 0, 2.67 active 0, 2.67 active 0, 8 activeU 8" {
			t.Errorf("after all: %s", got)
		}
		if got := s.vouchers(ole); got != "5 activeU 0" {
			t.Errorf("the other customer's: %s", got)
		}
		for _, p := range s.bought(ida) {
			if !p.ActiveTo.Equal(time.Date(2031, 5, 11, 8, 0, 0, 0, time.UTC)) || p.TransactionID != first.ID || p.Cost != 0 {
				t.Errorf("%s ends at %v, of %s, for %v", p.Code, p.ActiveTo, p.TransactionID, p.Cost)
			}
		}
		if k := s.counters(s.campaign); k.Sold != 5 || k.NextPosition != 6 {
			t.Errorf("counters %+v", k)
		}
	})
}

func TestReturnsCutVouchersOfTheSale(t *testing.T) {
	for _, c := range []struct {
		name    string
		use     string // the sale that the voucher is used for
		late    bool   // the voucher has expired at the time of the return
		returns []int64
		want    string
	}{
		{"too little to matter", "", false, []int64{1}, "10 active 0"},
		{"half", "", false, []int64{50}, "10 cancelled 0, 5 active 0"},
		{"half, then more", "", false, []int64{50, 20}, "10 cancelled 0, 3 active 0, 5 cancelled 0"},
		{"all", "", false, []int64{50, 50}, "10 cancelled 0, 5 cancelled 0"},
		{"so little left that it deserves none", "", false, []int64{97}, "10 cancelled 0"},
		{"used for another sale", "S-2", false, []int64{100}, "10 activeU 0"},
		{"used for the very sale", "S-1", false, []int64{100}, "10 activeU 0"},
		{"expired", "", true, []int64{100}, "10 active 0"}, // as the job has not run
	} {
		t.Run(c.name, func(t *testing.T) {
			onEachTill(t, func(t *testing.T, s *till) {
				ida := s.Customers(1, 0)[0]
				email := s.email(ida)
				sales := map[string]*transaction.Transaction{
					"S-1": s.document("S-1", email, "", 100), "S-2": s.document("S-2", email, "", 10),
				}
				s.voucher(ida, sales["S-1"], sales[c.use])
				if c.late {
					s.clock.Set(s.clock.Now().AddDate(0, 0, 11))
				}
				for i, whole := range c.returns {
					s.document(fmt.Sprint("R-", i), email, "S-1", whole)
				}
				if got := s.vouchers(ida); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			})
		})
	}
}

// A sale that comes back completely takes its unused coupons with it, which then count for no limit.
func TestReturnsCancelCouponsOfTheSale(t *testing.T) {
	onEachTill(t, func(t *testing.T, s *till) {
		ida := s.Customers(1, 50)[0]
		email := s.email(ida)
		one := s.shop.campaign(10, 3, func(draft *campaign.Draft) {
			draft.Unlimited, draft.Limit, draft.LimitPerUser = false, 2, 1
		})
		inactive := s.shop.campaign(10, 3, func(draft *campaign.Draft) { draft.DaysInactive = 2 })
		brings := func(campaignID string, sale *transaction.Transaction) (purchase.Coupon, error) {
			bought, err := s.buy(ida, campaignID, func(b *purchase.Buy) {
				b.Administrator, b.WithoutPoints = true, true
				b.TransactionID, b.TransactionValue = sale.ID, &sale.Amounts.Gross
			})
			if err != nil {
				return purchase.Coupon{}, err
			}
			return bought[0], nil
		}
		expect := func(name, want string, sold, customers, mine int64) {
			t.Helper()
			if got := s.vouchers(ida); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			k := s.counters(one)
			if k.Sold != sold || k.Customers != customers || s.Bought(ida, one) != mine {
				t.Errorf("%s: counters %+v, bought %d", name, k, s.Bought(ida, one))
			}
		}
		sale := s.document("S-1", email, "", 80)
		codes := campaigntest.Codes(3)
		for _, id := range []string{one, inactive} {
			if _, err := brings(id, sale); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.buy(ida, inactive, nil); err != nil { // paid with points
			t.Fatal(err)
		}
		s.document("R-1", email, "S-1", 79)
		both := codes[0] + " active 0, " + codes[0] + " inactive 0, " + codes[1] + " inactive 0"
		expect("after most of it", both, 1, 1, 1)
		s.document("R-2", email, "S-1", 1)
		gone := codes[0] + " cancelled 0, " + codes[0] + " cancelled 0, " + codes[1] + " inactive 0"
		expect("after all of it", gone, 0, 0, 0)
		s.document("R-3", email, "S-1", 1)
		expect("again", gone, 0, 0, 0)

		second := s.document("S-2", email, "", 80)
		coupon, err := brings(one, second)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := brings(one, second); err == nil {
			t.Error("more than one for each customer")
		}
		s.Write(func(tx *db.Tx) error {
			return purchase.MarkUsed(tx, s.Store, []purchase.Mark{{
				CustomerID: ida, CampaignID: one, CouponID: coupon.ID, Code: coupon.Code, Used: true,
			}})
		})
		s.document("R-4", email, "S-2", 80)
		expect("a used one", codes[0]+" cancelled 0, "+codes[0]+" cancelled 0, "+codes[1]+" activeU 0, "+
			codes[1]+" inactive 0", 1, 1, 1)
		if got := s.returnedRewards(t); got != "2 0, 0 1" {
			t.Errorf("events %s", got)
		}
	})
}

// returnedRewards returns how many coupons each return cancelled, and how many of its sale were used, as events say.
func (s *till) returnedRewards(t *testing.T) string {
	t.Helper()
	var facts []string
	all, _, err := event.List(t.Context(), s.DB, 1, 1000, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.HasSuffix(e.Type, "RewardsOfSaleWereReturned") {
			var fact struct{ CancelledCoupons, UsedCoupons int }
			if err := json.Unmarshal(e.Payload, &fact); err != nil {
				t.Fatal(err)
			}
			facts = append(facts, fmt.Sprint(fact.CancelledCoupons, fact.UsedCoupons))
		}
	}
	return strings.Join(facts, ", ")
}
