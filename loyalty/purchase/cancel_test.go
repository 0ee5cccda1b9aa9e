package purchase_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// cancel cancels a purchase, and returns its cost.
func (s *shop) cancel(customerID string, coupon purchase.Coupon) (cost points.Amount, err error) {
	err = s.DB.Write(background, func(tx *db.Tx) error {
		p, err := s.desk.Cancel(tx, s.Store, customerID, coupon.ID)
		if err == nil {
			cost = p.Cost
		}
		return err
	})
	return cost, err
}

func (s *shop) mustBuy(customerID, campaignID string) purchase.Coupon {
	s.Helper()
	bought, err := s.buy(customerID, campaignID, nil)
	if err != nil {
		s.Fatal(err)
	}
	return bought[0]
}

func (s *shop) mark(customerID, campaignID string, coupon purchase.Coupon, used bool) error {
	return s.DB.Write(background, func(tx *db.Tx) error {
		return purchase.MarkUsed(tx, s.Store, []purchase.Mark{{
			CustomerID: customerID, CampaignID: campaignID, CouponID: coupon.ID, Code: coupon.Code, Used: used,
		}})
	})
}

// lots describes the open lots of a customer: what is left of each, and until when.
func (s *shop) lots(customerID string) string {
	s.Helper()
	var all []string
	s.Read(func(tx *db.Tx) error {
		lots, _, err := points.Lots(tx, s.Store, customerID)
		for _, lot := range lots {
			all = append(all, lot.Available.String()+" until "+lot.ExpiresAt.Format(time.DateOnly))
		}
		return err
	})
	return strings.Join(all, ", ")
}

// A cancelled purchase leaves everything as it was before, but for the coupon and the transfer in the lists.
func TestCancelUndoesAPurchase(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 5, 1, 8, 0, 0, 0, time.UTC))
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		ids := s.Customers(2, 0)
		ida, ole := ids[0], ids[1]
		s.Give(ida, points.Grant{Value: decimal.Whole(30), ValidDays: 5},
			points.Grant{Value: decimal.Whole(40), ValidDays: 9})
		id := s.campaign(50, 9, func(draft *campaign.Draft) {
			draft.Unlimited, draft.Limit, draft.LimitPerUser = false, 2, 1
		})
		const before = "30 until 2031-05-06, 40 until 2031-05-10"
		coupon := s.mustBuy(ida, id)
		if _, err := s.buy(ida, id, nil); !errors.Is(err, campaign.ErrLimitPerCustomer) {
			t.Errorf("a second one: %v", err)
		}
		if _, err := s.cancel(ole, coupon); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("somebody else's: %v", err)
		}
		events := len(s.events(t))
		for _, name := range []string{"once", "again"} {
			cost, err := s.cancel(ida, coupon)
			if err != nil || cost != decimal.Whole(50) {
				t.Fatalf("%s: cost %v, %v", name, cost, err)
			}
			if a := s.Account(ida); s.lots(ida) != before || a.Points != decimal.Whole(70) || a.Used != 0 {
				t.Errorf("%s: lots %s, account %+v", name, s.lots(ida), a)
			}
			if k := s.counters(id); k.Sold != 0 || k.Customers != 0 || k.NextPosition != 2 || s.Bought(ida, id) != 0 {
				t.Errorf("%s: %+v, bought %d", name, k, s.Bought(ida, id))
			}
			got := strings.Join(s.events(t)[events:], " ")
			if got != "PointsWereReturned CampaignWasReturned CampaignStatusWasChanged" {
				t.Errorf("%s: %s", name, got)
			}
		}
		if err := s.mark(ida, id, coupon, true); err == nil {
			t.Error("a cancelled coupon was used")
		}
		if again := s.mustBuy(ida, id); again.Code == coupon.Code {
			t.Error("the code was sold again")
		}
		s.expectSound()

		clock.Set(clock.Now().AddDate(0, 0, 6)) // the first lot has expired
		late := s.bought(t, ida)[1]
		if _, err := s.cancel(ida, purchase.Coupon{ID: late}); err != nil {
			t.Fatal(err)
		}
		if a := s.Account(ida); s.lots(ida) != "40 until 2031-05-10" || a.Expired != decimal.Whole(30) {
			t.Errorf("after one lot expired: lots %s, %+v", s.lots(ida), a)
		}
		s.expectSound()
	})
}

// bought returns the ids of a customer's coupons, oldest first.
func (s *shop) bought(t *testing.T, customerID string) (ids []string) {
	t.Helper()
	s.Read(func(tx *db.Tx) error {
		found, err := purchase.Exported(tx, s.Store, "")
		for i := range found {
			if found[i].CustomerID == customerID {
				ids = append(ids, found[i].CouponID)
			}
		}
		return err
	})
	return ids
}

// events returns the short names of all events.
func (s *shop) events(t *testing.T) (names []string) {
	t.Helper()
	all, _, err := event.List(background, s.DB, 1, 1000, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Type[strings.LastIndexByte(e.Type, '.')+1:])
	}
	return names
}

func TestWhatCannotBeCancelled(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 5, 1, 8, 0, 0, 0, time.UTC))
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		ida := s.Customers(1, 100)[0]
		id := s.campaign(1, 9, nil)
		short := s.campaign(1, 9, func(draft *campaign.Draft) { draft.DaysValid = 2 })
		used, old, expired, fresh := s.mustBuy(ida, id), s.mustBuy(ida, id), s.mustBuy(ida, short), s.mustBuy(ida, id)
		if err := s.mark(ida, id, used, true); err != nil {
			t.Fatal(err)
		}
		refused := func(name string, coupon purchase.Coupon, want error) {
			t.Helper()
			before := s.Account(ida).Points
			if _, err := s.cancel(ida, coupon); !errors.Is(err, want) || s.Account(ida).Points != before {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
		refused("a used one", used, purchase.ErrUsed)
		clock.Set(clock.Now().AddDate(0, 0, 3))
		refused("an expired one", expired, purchase.ErrExpired)
		clock.Set(time.Date(2031, 5, 15, 8, 0, 0, 0, time.UTC))
		if _, err := s.cancel(ida, fresh); err != nil {
			t.Errorf("on the last moment of 14 days: %v", err)
		}
		clock.Set(clock.Now().Add(time.Second))
		refused("an old one", old, purchase.ErrTooLate)
		s.Store.Settings.PurchaseCancelDays = 15
		if err := s.mark(ida, id, used, false); err != nil {
			t.Fatal(err)
		}
		if _, err := s.cancel(ida, used); err != nil {
			t.Errorf("one that is unused again: %v", err)
		}
		s.Store.Settings.PurchaseCancelDays = 0
		refused("where nothing can be cancelled", s.mustBuy(ida, id), purchase.ErrTooLate)
		s.expectSound()
	})
}

// A code is sold again only where the store says so, as the last one, and codes of single coupons are left alone.
func TestCodesOfCancelledPurchases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ids := s.Customers(3, 0)
		id := s.campaign(0, 2, nil)
		single := s.campaign(0, 1, func(draft *campaign.Draft) { draft.SingleCoupon = true })
		first := s.mustBuy(ids[0], id)
		shared := s.mustBuy(ids[0], single)
		if _, err := s.cancel(ids[0], first); err != nil {
			t.Fatal(err)
		}
		second := s.mustBuy(ids[1], id)
		if _, err := s.buy(ids[2], id, nil); !errors.Is(err, campaign.ErrNoCoupons) {
			t.Errorf("the code of a cancelled purchase: %v", err)
		}
		s.Store.Settings.CancelledCodesSoldAgain = true
		for owner, coupon := range map[int]purchase.Coupon{0: shared, 1: second} {
			if _, err := s.cancel(ids[owner], coupon); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.mustBuy(ids[2], id); got.Code != second.Code {
			t.Errorf("sold %s, want %s again", got.Code, second.Code)
		}
		if _, err := s.buy(ids[2], id, nil); !errors.Is(err, campaign.ErrNoCoupons) {
			t.Errorf("twice: %v", err)
		}
		if got := s.mustBuy(ids[1], single); got.Code != shared.Code {
			t.Errorf("the single coupon is %s, want %s", got.Code, shared.Code)
		}
		s.expectSound()
		_, err := check.Run(background, s.DB, campaign.Rules(campaign.RewardTypes), check.Report{
			Begin: func(string, int, int) {}, Finding: func(f check.Finding) { t.Error(f) }, More: func(string, int64) {},
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// Purchases of so many campaigns that their counts moved out of the account are counted back as well.
func TestCancelCountsThatMoved(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.Customers(1, 0)[0]
		limits := make([]int64, 40)
		for i := range limits {
			limits[i] = 2
		}
		campaigns := s.limitedCampaigns(limits...)
		coupons := map[string]purchase.Coupon{}
		for range 2 {
			for _, id := range campaigns {
				coupons[id] = s.mustBuy(ida, id)
			}
		}
		for i, id := range campaigns {
			if i%3 > 0 {
				continue
			}
			if _, err := s.cancel(ida, coupons[id]); err != nil {
				t.Fatal(err)
			}
			if n := s.Bought(ida, id); n != 1 {
				t.Errorf("campaign %d was bought %d times", i, n)
			}
			s.mustBuy(ida, id)
		}
		s.expectSound()
	})
}

// Cancellations race with uses, further purchases of the last coupons, expiring lots and each other. Each coupon is
// either used or cancelled, and points, limits and lists stay exact.
func TestCancelsUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.Store.Settings.CancelledCodesSoldAgain = true
		customers := s.Customers(3, 100)
		id := s.campaign(10, 15, func(draft *campaign.Draft) {
			draft.Unlimited, draft.Limit, draft.LimitPerUser = false, 15, 5
		})
		var all sync.WaitGroup
		var mutex sync.Mutex
		used := make([]int64, len(customers))
		for i, who := range customers {
			coupons := make([]purchase.Coupon, 4)
			for j := range coupons {
				coupons[j] = s.mustBuy(who, id)
			}
			for j, coupon := range coupons {
				wins := 0
				win := func(err error, n *int64) {
					mutex.Lock()
					defer mutex.Unlock()
					if err == nil {
						wins++
						if n != nil {
							*n++
						}
					}
					if wins > 1 {
						t.Errorf("coupon %d of customer %d was used and cancelled", j, i)
					}
				}
				all.Go(func() { win(s.mark(who, id, coupon, true), &used[i]) })
				all.Go(func() {
					_, err := s.cancel(who, coupon)
					win(err, nil)
				})
			}
			all.Go(func() { _, _ = s.buy(who, id, nil) })
		}
		all.Wait()
		s.expectSound()
		ledger(t, s)
		for i, who := range customers {
			a, n := s.Account(who), s.Bought(who, id)
			if n > 5 || a.Used != decimal.Whole(10*n) || a.Points != decimal.Whole(100-10*n) || n < used[i] {
				t.Errorf("customer %d has %d coupons, %d of them used, and %s", i, n, used[i], fmt.Sprint(a.Points, a.Used))
			}
		}
	})
}

// ledger fails if points do not add up.
func ledger(t *testing.T, s *shop) {
	t.Helper()
	_, err := check.Run(background, s.DB, points.Rules(), check.Report{
		Begin: func(string, int, int) {}, Finding: func(f check.Finding) { t.Error(f) }, More: func(string, int64) {},
	})
	if err != nil {
		t.Error(err)
	}
}
