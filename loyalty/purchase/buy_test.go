package purchase_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// distinctCodes fails when a code or coupon id was given out twice.
func distinctCodes(t *testing.T, coupons []purchase.Coupon) {
	t.Helper()
	codes, ids := map[string]bool{}, map[string]bool{}
	for _, c := range coupons {
		if codes[c.Code] || ids[c.ID] || c.Code == "" {
			t.Errorf("code %q was sold twice or is empty", c.Code)
		}
		codes[c.Code], ids[c.ID] = true, true
	}
}

func TestFiveHundredBuyersForFiftyCodes(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		buyers := s.Customers(500, 100)
		id := s.campaign(10, 50, nil)
		o := s.rush(buyers, id)
		if len(o.coupons) != 50 || o.refusals["No coupons left"] != 450 {
			t.Fatalf("%d coupons, refusals %v", len(o.coupons), o.refusals)
		}
		distinctCodes(t, o.coupons)
		var rest points.Amount
		for _, b := range buyers {
			rest += s.Account(b).Points
		}
		if rest != decimal.Whole(500*100-50*10) {
			t.Errorf("balances sum up to %v", rest)
		}
		if k := s.counters(id); k.Sold != 50 || k.Customers != 50 {
			t.Errorf("counters %+v", k)
		}
	})
}

func TestGlobalLimitHoldsUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		id := s.campaign(1, 400, func(c *campaign.Draft) { c.Unlimited, c.Limit, c.LimitPerUser = false, 30, 5 })
		o := s.rush(s.Customers(300, 10), id)
		if len(o.coupons) != 30 || o.refusals["Limit exceeded"] != 270 {
			t.Fatalf("%d coupons, refusals %v", len(o.coupons), o.refusals)
		}
		distinctCodes(t, o.coupons)
	})
}

func TestLimitPerCustomerHoldsUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.Customers(1, 1000)[0]
		id := s.campaign(1, 400, func(c *campaign.Draft) { c.Unlimited, c.Limit, c.LimitPerUser = false, 300, 7 })
		o := s.rush(slices.Repeat([]string{who}, 200), id)
		if len(o.coupons) != 7 || o.refusals["Limit per customer exceeded"] != 193 {
			t.Fatalf("%d coupons, refusals %v", len(o.coupons), o.refusals)
		}
		if a := s.Account(who); a.Points != decimal.Whole(993) {
			t.Errorf("balance %v", a.Points)
		}
	})
}

func TestOneBalanceIsNeverOverdrawnByParallelPurchases(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.Customers(1, 100)[0]
		first, second := s.campaign(7, 400, nil), s.campaign(7, 400, nil)
		done := make(chan outcome)
		go func() { done <- s.rush(slices.Repeat([]string{who}, 150), first) }()
		a, b := s.rush(slices.Repeat([]string{who}, 150), second), <-done
		if sold := len(a.coupons) + len(b.coupons); sold != 14 {
			t.Errorf("%d coupons of 7 points from 100 points", sold)
		}
		if n := a.refusals["Not enough points"] + b.refusals["Not enough points"]; n != 286 {
			t.Errorf("refusals %v %v", a.refusals, b.refusals)
		}
		if got := s.Account(who); got.Points != decimal.Whole(2) || got.Used != decimal.Whole(98) {
			t.Errorf("balance %v, used %v", got.Points, got.Used)
		}
	})
}

// Two nodes sell the same campaign to the same customers.
func TestTwoNodesShareTheLimits(t *testing.T) {
	dbtest.Both(t)
	config := dbtest.Config(t, "postgres")
	s := newShop(t, dbtest.Open(t, config, time.Now))
	other := s.node(dbtest.Open(t, config, time.Now))
	buyers := s.Customers(100, 20)
	id := s.campaign(1, 120, func(c *campaign.Draft) { c.Unlimited, c.Limit, c.LimitPerUser = false, 500, 3 })
	all := slices.Repeat(buyers, 3)
	done := make(chan outcome)
	go func() { done <- other.rush(all, id) }()
	a, b := s.rush(all, id), <-done
	coupons := append(a.coupons, b.coupons...)
	if len(coupons) != 120 {
		t.Errorf("%d coupons of 120 codes, refusals %v %v", len(coupons), a.refusals, b.refusals)
	}
	distinctCodes(t, coupons)
}

func TestQuantityIsAllOrNothing(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.Customers(1, 100)[0]
		id := s.campaign(30, 5, nil)
		of := func(n int64) func(*purchase.Buy) { return func(b *purchase.Buy) { b.Quantity = n } }
		for n, want := range map[int64]error{
			0: purchase.ErrInvalidQuantity, -1: purchase.ErrInvalidQuantity, 1001: purchase.ErrInvalidQuantity,
			4: points.ErrNotEnough, 6: campaign.ErrNoCoupons, 20: campaign.ErrNoCoupons,
		} {
			if _, err := s.buy(who, id, of(n)); !errors.Is(err, want) {
				t.Errorf("quantity %d: %v, want %v", n, err, want)
			}
		}
		if a, k := s.Account(who), s.counters(id); a.Points != decimal.Whole(100) || k.Sold != 0 {
			t.Errorf("a refused purchase left balance %v, sold %d", a.Points, k.Sold)
		}
		coupons, err := s.buy(who, id, of(3))
		if err != nil || fmt.Sprint(codes(coupons)) != "[CODE0 CODE1 CODE2]" {
			t.Errorf("codes %v, %v", codes(coupons), err)
		}
		if a, k := s.Account(who), s.counters(id); a.Points != decimal.Whole(10) || k.Sold != 3 || k.Customers != 1 {
			t.Errorf("balance %v, counters %+v", a.Points, k)
		}
		want := "CampaignWasBoughtByCustomer PointsWereSpent CampaignWasBoughtByCustomer PointsWereSpent " +
			"CampaignWasBoughtByCustomer PointsWereSpent"
		if got := s.lastEvents(6); got != want {
			t.Errorf("events %s", got)
		}
	})
}

func codes(coupons []purchase.Coupon) []string {
	var all []string
	for _, c := range coupons {
		all = append(all, c.Code)
	}
	return all
}

func (s *shop) lastEvents(n int) string {
	s.Helper()
	events, _, err := event.List(background, s.DB, 1, 100, true)
	if err != nil {
		s.Fatal(err)
	}
	text := ""
	for _, e := range slices.Backward(events[:min(n, len(events))]) {
		name := e.Type[len("Platform.Domain."):]
		for i := range name {
			if name[i] == '.' {
				name = name[i+len(".Event."):]
				break
			}
		}
		text += " " + name
	}
	return text[1:]
}

// Tests the order of docs/behaviour/purchase.md#order-of-checks.
func TestRefusals(t *testing.T) {
	dbtest.Both(t)
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	past := campaign.Window{From: now.Add(-2 * time.Hour), To: now.Add(-time.Hour)}
	byAdministrator := func(b *purchase.Buy) { b.Administrator = true }
	cases := []struct {
		name     string
		codes    int
		edit     func(*campaign.Draft)
		buy      func(*purchase.Buy)
		customer error // nil means bought
		admin    error
	}{
		{"plain", 5, nil, nil, nil, nil},
		{"inactive", 5, func(c *campaign.Draft) { c.Active = false }, nil, fault.ErrNotFound, fault.ErrNotFound},
		{"outside its activity", 5, func(c *campaign.Draft) { c.Activity = past }, nil, fault.ErrNotFound, fault.ErrNotFound},
		{"outside its visibility", 5, func(c *campaign.Draft) { c.Visibility = past }, nil, fault.ErrNotFound, nil},
		{"for another level", 5, func(c *campaign.Draft) { c.Definition.Levels = []string{db.NewID()} }, nil,
			fault.ErrNotFound, nil},
		{"cashback", 0, func(c *campaign.Draft) { c.Reward = campaign.Cashback }, nil, fault.ErrInvalid, fault.ErrInvalid},
		{"custom", 0, func(c *campaign.Draft) { c.Reward = campaign.CustomCampaignCode }, nil,
			fault.ErrInvalid, fault.ErrInvalid},
		{"percentage", 0, func(c *campaign.Draft) { c.Reward = campaign.PercentageDiscount }, nil, fault.ErrNotFound,
			purchase.ErrTransactionRequired},
		{"no codes", 0, nil, nil, campaign.ErrNoCoupons, campaign.ErrNoCoupons},
		{"limit beyond the codes", 0, func(c *campaign.Draft) { c.Unlimited, c.Limit, c.LimitPerUser = false, 9, 9 }, nil,
			campaign.ErrNoCoupons, campaign.ErrNoCoupons},
		{"limits before the balance", 5, func(c *campaign.Draft) {
			c.Unlimited, c.Limit, c.LimitPerUser, c.Cost = false, 1, 1, decimal.Whole(5000)
		}, func(b *purchase.Buy) { b.Quantity = 2 }, campaign.ErrLimit, campaign.ErrLimit},
		{"limit per customer", 5, func(c *campaign.Draft) { c.Unlimited, c.Limit, c.LimitPerUser = false, 5, 1 },
			func(b *purchase.Buy) { b.Quantity = 2 }, campaign.ErrLimitPerCustomer, campaign.ErrLimitPerCustomer},
		{"too dear", 5, func(c *campaign.Draft) { c.Cost = decimal.Whole(5000) }, nil,
			points.ErrNotEnough, points.ErrNotEnough},
		{"unlimited single coupon", 1, func(c *campaign.Draft) { c.SingleCoupon = true },
			func(b *purchase.Buy) { b.Quantity = 3 }, nil, nil},
		{"unknown campaign", 1, nil, func(b *purchase.Buy) { b.CampaignID = db.NewID() },
			fault.ErrNotFound, fault.ErrNotFound},
		{"unknown customer", 1, nil, func(b *purchase.Buy) { b.CustomerID = db.NewID() },
			fault.ErrNotFound, fault.ErrNotFound},
	}
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := dbtest.NewClock(now)
			s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), c.Now))
			for _, test := range cases {
				id := s.campaign(10, test.codes, test.edit)
				for by, want := range map[string]error{"customer": test.customer, "administrator": test.admin} {
					who := s.Customers(1, 1000)[0]
					_, err := s.buy(who, id, func(b *purchase.Buy) {
						if by == "administrator" {
							byAdministrator(b)
						}
						if test.buy != nil {
							test.buy(b)
						}
					})
					if !errors.Is(err, want) || (want == nil) != (err == nil) {
						t.Errorf("%s, bought by %s: %v, want %v", test.name, by, err, want)
					}
				}
			}
		})
	}
}

func TestBlockedCustomerCannotBuy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who, id := s.Customers(1, 100)[0], s.campaign(1, 5, nil)
		s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, who) })
		if _, err := s.buy(who, id, nil); !errors.Is(err, purchase.ErrNotAllowed) {
			t.Errorf("got %v", err)
		}
	})
}

func TestWithoutPointsChargesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who, id := s.Customers(1, 0)[0], s.campaign(50, 5, nil)
		_, err := s.buy(who, id, func(b *purchase.Buy) { b.Administrator, b.WithoutPoints = true, true })
		if err != nil {
			t.Fatal(err)
		}
		if got := s.lastEvents(1); got != "CampaignWasBoughtByCustomer" {
			t.Errorf("last event %s: nothing may be spent", got)
		}
	})
}

// Coupons become active and expire exactly on time, by calendar days of the store's time zone
// across the change to summer time.
func TestStatusFollowsTheClock(t *testing.T) {
	warsaw, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2031, month, day, hour, minute, 0, 0, warsaw)
	}
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := dbtest.NewClock(at(3, 28, 10, 15)) // summer time begins on 30 March
			s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), c.Now))
			who := s.Customers(1, 10)[0]
			id := s.campaign(1, 5, func(c *campaign.Draft) { c.DaysInactive, c.DaysValid = 3, 2 })
			coupons, err := s.buy(who, id, nil)
			if err != nil {
				t.Fatal(err)
			}
			mark := purchase.Mark{CustomerID: who, CampaignID: id, CouponID: coupons[0].ID, Code: coupons[0].Code, Used: true}
			use := func() error {
				return s.DB.Write(background, func(tx *db.Tx) error {
					if err := purchase.MarkUsed(tx, s.Store, []purchase.Mark{mark}); err != nil {
						return err
					}
					return errUndo
				})
			}
			s.Store.Settings.CouponsEndWithDay = true
			longer, err := s.buy(who, id, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				now    time.Time
				coupon purchase.Coupon
				want   error
			}{
				{at(3, 31, 10, 14), coupons[0], fault.ErrInvalid},
				{at(3, 31, 10, 15), coupons[0], errUndo},
				{at(4, 2, 10, 15), coupons[0], errUndo},
				{at(4, 2, 10, 16), coupons[0], fault.ErrInvalid},
				{at(4, 2, 10, 16), longer[0], errUndo},
				{at(4, 2, 23, 59), longer[0], errUndo},
				{at(4, 3, 0, 0), longer[0], fault.ErrInvalid},
			} {
				mark.CouponID, mark.Code = step.coupon.ID, step.coupon.Code
				c.Set(step.now)
				if err := use(); !errors.Is(err, step.want) {
					t.Errorf("at %s: %v, want %v", step.now, err, step.want)
				}
			}
		})
	}
}

var errUndo = errors.New("used, and taken back by the test")
