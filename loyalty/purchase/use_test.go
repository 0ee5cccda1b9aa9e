package purchase_test

import (
	"errors"
	"sync"
	"testing"

	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func TestMarkUsedTakesAllRowsOrNone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		both := s.Customers(2, 100)
		id := s.campaign(1, 10, nil)
		coupons, err := s.buy(both[0], id, func(b *purchase.Buy) { b.Quantity = 2 })
		if err != nil {
			t.Fatal(err)
		}
		mark := func(i int, used bool) purchase.Mark {
			return purchase.Mark{CustomerID: both[0], CampaignID: id, CouponID: coupons[i].ID, Code: coupons[i].Code, Used: used}
		}
		act := func(marks ...purchase.Mark) error {
			return d.Write(background, func(tx *db.Tx) error { return purchase.MarkUsed(tx, s.Store, marks) })
		}
		stranger, wrongCode, wrongCampaign := mark(1, true), mark(1, true), mark(1, true)
		stranger.CustomerID, wrongCode.Code, wrongCampaign.CampaignID = both[1], "OTHER", db.NewID()
		for name, bad := range map[string]purchase.Mark{
			"another customer's": stranger, "wrong code": wrongCode, "wrong campaign": wrongCampaign, "twice": mark(0, true),
		} {
			if err := act(mark(0, true), bad); !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := act(mark(0, true), mark(1, true)); err != nil {
			t.Fatalf("after refusals that must have changed nothing: %v", err)
		}
		if err := act(mark(0, true)); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("used twice: %v", err)
		}
		if err := act(mark(0, false)); err != nil {
			t.Errorf("unmarked: %v", err)
		}
		if err := act(mark(0, true)); err != nil {
			t.Errorf("used again: %v", err)
		}
		want := "CampaignUsageWasChanged CampaignBoughtDeliveryStatusWasChanged CampaignUsageWasChanged " +
			"CampaignBoughtDeliveryStatusWasChanged CampaignUsageWasChanged CampaignUsageWasChanged " +
			"CampaignBoughtDeliveryStatusWasChanged"
		if got := s.lastEvents(7); got != want {
			t.Errorf("events %s", got)
		}
	})
}

func TestOneCouponIsUsedOnceByParallelRequests(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who, id := s.Customers(1, 100)[0], s.campaign(1, 10, nil)
		coupons, err := s.buy(who, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		mark := purchase.Mark{CustomerID: who, CampaignID: id, CouponID: coupons[0].ID, Code: coupons[0].Code, Used: true}
		var all sync.WaitGroup
		used := make(chan bool, 100)
		for range 100 {
			all.Go(func() {
				err := d.Write(background, func(tx *db.Tx) error {
					return purchase.MarkUsed(tx, s.Store, []purchase.Mark{mark})
				})
				if err == nil {
					used <- true
				} else if !errors.Is(err, fault.ErrInvalid) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(used) != 1 {
			t.Errorf("used %d times", len(used))
		}
	})
}
