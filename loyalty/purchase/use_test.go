package purchase_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/idempotency"
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

// Each coupon is used once, by calls with one coupon or several, with and without keys, on two nodes of PostgreSQL.
func TestCouponsAreUsedOnceByParallelRequests(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			config := dbtest.Config(t, engine)
			s := newShop(t, dbtest.Open(t, config, time.Now))
			nodes := []*shop{s}
			if engine == "postgres" {
				nodes = append(nodes, s.node(dbtest.Open(t, config, time.Now)))
			}
			const coupons = 8
			who, id := s.Customers(1, 100)[0], s.campaign(1, coupons, nil)
			sold, err := s.buy(who, id, func(b *purchase.Buy) { b.Quantity = coupons })
			if err != nil {
				t.Fatal(err)
			}
			mark := func(i int) purchase.Mark {
				c := sold[i%coupons]
				return purchase.Mark{CustomerID: who, CampaignID: id, CouponID: c.ID, Code: c.Code, Used: true}
			}
			var all sync.WaitGroup
			var mutex sync.Mutex
			used, byKey := map[string]int{}, map[string]int{}
			for i := range 160 {
				marks, name := []purchase.Mark{mark(i)}, ""
				switch i % 3 {
				case 0:
					name = fmt.Sprint("key ", i%coupons)
				case 1:
					marks = append(marks, mark(i+3))
				}
				var key *idempotency.Request
				if name != "" {
					key = s.keyed(name, "x")
				}
				all.Go(func() {
					err := nodes[i%len(nodes)].desk.Mark(background, s.Store, key, marks...)
					mutex.Lock()
					defer mutex.Unlock()
					_, isReplay := errors.AsType[*idempotency.Replay](err)
					switch {
					case err == nil:
						for _, m := range marks {
							used[m.CouponID]++
						}
						byKey[name]++
					case !isReplay && !errors.Is(err, fault.ErrInvalid) && !errors.Is(err, idempotency.ErrInFlight):
						t.Error(err)
					}
				})
			}
			all.Wait()
			for _, c := range sold {
				if used[c.ID] != 1 {
					t.Errorf("%s was used %d times", c.Code, used[c.ID])
				}
			}
			for key, n := range byKey {
				if key != "" && n != 1 {
					t.Errorf("%s was carried out %d times", key, n)
				}
			}
		})
	}
}
