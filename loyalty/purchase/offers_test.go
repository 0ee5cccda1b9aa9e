package purchase_test

import (
	"maps"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// Customers of different levels and segments in one batch are each shown their own campaigns, without those whose
// limit per customer they have reached.
func TestOffersOfASet(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ids := s.Customers(3, 100)
		ida, ole, kai := ids[0], ids[1], ids[2]
		var silver *level.Level
		var friends *segment.Segment
		s.Write(func(tx *db.Tx) (err error) {
			silver, err = level.Create(tx, s.Store, level.Level{
				Active: true, ConditionValue: decimal.Whole(1000).Money(), Reward: level.Reward{Name: "Silver", Code: "S"},
				Translations: []level.Translation{{Locale: "en", Name: "Silver"}},
			})
			if err != nil {
				return err
			}
			c, _, err := customer.Lock(tx, s.Store, ole)
			if err == nil {
				err = customer.SetLevel(tx, s.Store, c, silver.ID)
			}
			return err
		})
		s.Write(func(tx *db.Tx) (err error) {
			friends, err = segment.New().Create(tx, s.Store, segment.Draft{
				Name: "Friends", Active: true, Parts: []segment.Part{
					{Criteria: []segment.Criterion{{Type: "customer_list", Fields: &segment.CustomerList{Customers: []string{kai}}}}},
				},
			})
			return err
		})
		if _, err := segment.New().Rebuild(background, d, s.Store.Key, friends.ID); err != nil {
			t.Fatal(err)
		}
		meant := func(levels, segments []string) func(*campaign.Draft) {
			return func(d *campaign.Draft) { d.Definition.Levels, d.Definition.Segments = levels, segments }
		}
		bronze := s.campaign(1, 5, nil)
		single := s.campaign(1, 5, func(d *campaign.Draft) { d.Unlimited, d.Limit, d.LimitPerUser = false, 5, 1 })
		high := s.campaign(1, 5, meant([]string{silver.ID}, nil))
		both := s.campaign(1, 5, meant([]string{silver.ID}, []string{friends.ID}))
		if _, err := s.buy(ida, single, nil); err != nil {
			t.Fatal(err)
		}
		s.Read(func(tx *db.Tx) error {
			got, err := s.desk.Offered(tx, s.Store, ida, ole, kai, db.NewID())
			want := [][]string{{bronze}, {high, both}, {bronze, single, both}, nil}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			return err
		})
	})
}

// While others buy, a buyer sees the usage left after their own purchase and all before it: cached lists are not stale.
func TestOffersWhileOthersBuy(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		const buyers, each = 8, 5
		limited := s.campaign(1, buyers*each, func(d *campaign.Draft) {
			d.Unlimited, d.Limit, d.LimitPerUser = false, buyers*each, each
		})
		other := s.campaign(1, 1, nil)
		ids := s.Customers(buyers+1, 100)
		var sold atomic.Int64
		var all sync.WaitGroup
		for _, id := range ids[:buyers] {
			all.Go(func() {
				for mine := int64(1); mine <= each; mine++ {
					if _, err := s.buy(id, limited, nil); err != nil {
						t.Error(err)
					}
					most := buyers*each - sold.Add(1)
					list, err := s.desk.OfferTo(background, s.Store, id)
					got, listed := list[limited]
					if err != nil || len(list) == 0 || listed != (mine < each) {
						t.Errorf("after %d own purchases the list is %v: %v", mine, list, err)
					}
					if listed && (got.OfAll > most || got.ForCustomer != min(each-mine, got.OfAll)) {
						t.Errorf("after %d purchases, %d of them the customer's, the list says %+v", buyers*each-most, mine, got)
					}
				}
			})
		}
		all.Wait()
		list, err := s.desk.OfferTo(background, s.Store, ids[buyers])
		if want := map[string]purchase.Left{other: {OfAll: 1, ForCustomer: 1}}; err != nil || !maps.Equal(list, want) {
			t.Errorf("when all is sold the list is %v: %v", list, err)
		}
	})
}
