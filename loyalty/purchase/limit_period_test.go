package purchase_test

import (
	"errors"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A limit per customer counts the purchases of its period, so that the customer can buy again in the next one. A
// cancelled purchase gives the place back, and one that changes its period counts what was bought in the new one.
func TestLimitsPerPeriod(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 1, 30, 12, 0, 0, 0, time.UTC)) // a Thursday
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		monthly := func(d *campaign.Draft) {
			d.Unlimited, d.Limit, d.LimitPerUser, d.LimitPeriod = false, 100, 2, "month"
		}
		id := s.campaign(0, 50, monthly)
		who := s.Customers(1, 0)[0]
		buy := func(n int64, want error) []purchase.Coupon {
			t.Helper()
			coupons, err := s.buy(who, id, func(b *purchase.Buy) { b.Quantity = n })
			if !errors.Is(err, want) || (want == nil) != (err == nil) {
				t.Errorf("%v: %v, want %v", clock.Now(), err, want)
			}
			return coupons
		}
		buy(3, campaign.ErrLimitPerCustomer)
		buy(1, nil)
		bought := buy(1, nil)
		buy(1, campaign.ErrLimitPerCustomer)
		s.Write(func(tx *db.Tx) error {
			p, err := purchase.Lock(tx, s.Store.Key, who, bought[0].ID)
			if err == nil {
				_, err = p.Cancel(tx, s.Store)
			}
			return err
		})
		buy(1, nil)
		buy(1, campaign.ErrLimitPerCustomer)
		clock.Advance(2 * 24 * time.Hour) // 1 February
		buy(2, nil)
		buy(1, campaign.ErrLimitPerCustomer)
		s.Write(func(tx *db.Tx) error {
			var draft campaign.Draft
			c, _, err := s.desk.Catalogue.Find(tx, s.Store.Key, id)
			if err != nil {
				return err
			}
			draft.Campaign, draft.KeepCodes, draft.LimitPeriod, draft.LimitPerUser = *c, true, "week", 4
			return s.desk.Catalogue.Update(tx, s.Store, id, draft)
		})
		buy(1, campaign.ErrLimitPerCustomer) // the four since Monday, 27 January
		clock.Advance(2 * 24 * time.Hour)    // Monday
		buy(4, nil)
		buy(1, campaign.ErrLimitPerCustomer)
	})
}

// Purchases in a rush do not exceed a limit per period.
func TestLimitsPerPeriodInARush(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 1, 30, 12, 0, 0, 0, time.UTC))
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		id := s.campaign(0, 100, func(d *campaign.Draft) {
			d.Unlimited, d.Limit, d.LimitPerUser, d.LimitPeriod = false, 100, 3, "day"
		})
		who := s.Customers(1, 0)[0]
		same := make([]string, 20)
		for i := range same {
			same[i] = who
		}
		for day := range 3 {
			s.rush(same, id)
			if n := s.Bought(who, id); n != int64(3*(day+1)) {
				t.Errorf("%d bought after %d days", n, day+1)
			}
			clock.Advance(24 * time.Hour)
		}
	})
}

// A limit of all customers counts what all bought in its period. A cancelled coupon gives its place back, and the list
// of offers shows what is left.
func TestLimitOfAllPerPeriod(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 1, 30, 12, 0, 0, 0, time.UTC)) // a Thursday
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		id := s.campaign(0, 100, func(d *campaign.Draft) {
			d.Unlimited, d.Limit, d.LimitPerUser, d.TotalPeriod = false, 3, 50, "week"
		})
		who := s.Customers(2, 0)
		buy := func(of int, n int64, want error) []purchase.Coupon {
			t.Helper()
			coupons, err := s.buy(who[of], id, func(b *purchase.Buy) { b.Quantity = n })
			if !errors.Is(err, want) || (want == nil) != (err == nil) {
				t.Errorf("%v: %v, want %v", clock.Now(), err, want)
			}
			return coupons
		}
		left := func(want int64) {
			t.Helper()
			s.Read(func(tx *db.Tx) error {
				shown, err := s.desk.Catalogue.Show(tx, s.Store, api.Locale{}, false, id)
				if got := shown.Reduced(shown.Campaigns[id], shown.Counters[id]).UsageLeft; got != want {
					t.Errorf("%v: %d left, want %d", clock.Now(), got, want)
				}
				return err
			})
		}
		buy(0, 1, nil)
		clock.Advance(24 * time.Hour)
		bought := buy(1, 2, nil)
		buy(0, 1, campaign.ErrLimit)
		left(0)
		s.Write(func(tx *db.Tx) error {
			p, err := purchase.Lock(tx, s.Store.Key, who[1], bought[0].ID)
			if err == nil {
				_, err = p.Cancel(tx, s.Store)
			}
			return err
		})
		left(1)
		buy(0, 2, campaign.ErrLimit)
		buy(0, 1, nil)
		buy(1, 1, campaign.ErrLimit)
		clock.Advance(3 * 24 * time.Hour) // Monday
		left(3)
		buy(1, 3, nil)
		buy(0, 1, campaign.ErrLimit)
	})
}

// Customers in a rush do not buy more than the limit of all per period.
func TestLimitOfAllPerPeriodInARush(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 1, 30, 12, 0, 0, 0, time.UTC))
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		id := s.campaign(0, 100, func(d *campaign.Draft) {
			d.Unlimited, d.Limit, d.LimitPerUser, d.TotalPeriod = false, 7, 5, "day"
		})
		who := s.Customers(20, 0)
		for day := range int64(3) {
			if o := s.rush(who, id); len(o.coupons) != 7 {
				t.Errorf("%d coupons on day %d: %v", len(o.coupons), day, o.refusals)
			}
			clock.Advance(24 * time.Hour)
		}
	})
}
