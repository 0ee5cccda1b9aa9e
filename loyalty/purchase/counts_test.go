package purchase_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// limitedCampaigns adds free campaigns, each with a limit per customer.
func (s *shop) limitedCampaigns(limits ...int64) []string {
	ids := make([]string, len(limits))
	for i, limit := range limits {
		ids[i] = s.campaign(0, 1, func(d *campaign.Draft) {
			d.SingleCoupon, d.Unlimited, d.Limit, d.LimitPerUser = true, false, 1_000_000, limit
		})
	}
	return ids
}

// expectSound fails if a rule of purchases finds anything.
func (s *shop) expectSound() {
	s.Helper()
	_, err := check.Run(background, s.DB, purchase.Rules(campaign.RewardTypes), check.Report{
		Begin: func(string, int, int) {}, Finding: func(f check.Finding) { s.Error(f) }, More: func(string, int64) {},
	})
	if err != nil {
		s.Error(err)
	}
}

// Whatever customers buy of many campaigns, in batches of any size, no limit per customer is exceeded, nothing within
// it is refused, and the lists of offers and the number of customers of each campaign agree.
func TestCountsOfManyCampaigns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		random := rand.New(rand.NewPCG(21, 2))
		limits := make([]int64, 30)
		for i := range limits {
			limits[i] = 1 + random.Int64N(4)
		}
		campaigns := s.limitedCampaigns(limits...)
		customers := s.Customers(3, 0)
		type pair struct{ customer, campaign int }
		bought := map[pair]int64{}
		for range 60 {
			width := 1 + random.IntN(len(campaigns)) // how many campaigns this batch chooses from
			pairs := make([]pair, 1+random.IntN(12))
			buys := make([]purchase.Buy, len(pairs))
			for i := range buys {
				pairs[i] = pair{random.IntN(len(customers)), random.IntN(width)}
				buys[i] = purchase.Buy{
					Store: s.Store, CustomerID: customers[pairs[i].customer], CampaignID: campaigns[pairs[i].campaign],
					Quantity: 1 + random.Int64N(2), Locale: "en",
				}
			}
			s.Write(func(tx *db.Tx) error {
				outcomes, err := s.desk.Sell(tx, buys...)
				for i, o := range outcomes {
					fits := bought[pairs[i]]+buys[i].Quantity <= limits[pairs[i].campaign]
					if fits && o.Err != nil || !fits && !errors.Is(o.Err, campaign.ErrLimitPerCustomer) {
						t.Errorf("%d of %v after %d: %v", buys[i].Quantity, pairs[i], bought[pairs[i]], o.Err)
					}
					if o.Err == nil {
						bought[pairs[i]] += buys[i].Quantity
					}
				}
				return err
			})
			who := random.IntN(len(customers))
			offers, err := s.desk.OfferTo(background, s.Store, customers[who])
			for i, id := range campaigns {
				left, listed := offers[id]
				want := limits[i] - bought[pair{who, i}]
				if err != nil || listed != (want > 0) || left.ForCustomer != want {
					t.Fatalf("customer %d can buy campaign %d %d times, the list says %+v: %v", who, i, want, left, err)
				}
			}
		}
		for i, id := range campaigns {
			var of int64
			for who := range customers {
				n := bought[pair{who, i}]
				of += min(n, 1)
				if got := s.Bought(customers[who], id); got != n {
					t.Errorf("customer %d bought campaign %d %d times, not %d", who, i, n, got)
				}
			}
			if k := s.counters(id); k.Customers != of {
				t.Errorf("campaign %d has %d customers, want %d", i, k.Customers, of)
			}
		}
		s.expectSound()
	})
}

// Two nodes sell many campaigns to the same customers, and both count them.
func TestTwoNodesShareTheCounts(t *testing.T) {
	dbtest.Both(t)
	config := dbtest.Config(t, "postgres")
	s := newShop(t, dbtest.Open(t, config, time.Now))
	nodes := []*shop{s, s.node(dbtest.Open(t, config, time.Now))}
	campaigns := s.limitedCampaigns(slices.Repeat([]int64{2}, 25)...)
	customers := s.Customers(2, 0)
	var all sync.WaitGroup
	for _, node := range nodes {
		for _, who := range customers {
			for range 4 {
				order := rand.Perm(len(campaigns))
				all.Go(func() {
					for _, i := range order {
						if _, err := node.buy(who, campaigns[i], nil); err != nil && !errors.Is(err, campaign.ErrLimitPerCustomer) {
							t.Error(err)
						}
					}
				})
			}
		}
	}
	all.Wait()
	for _, id := range campaigns {
		if k := s.counters(id); k.Sold != 4 || k.Customers != 2 {
			t.Errorf("counters %+v", k)
		}
	}
	s.expectSound()
}
