package purchase_test

import (
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Used coupons of a campaign count on the day of the use, until they are marked as unused or cancelled.
func TestUsesOfCampaignByDay(t *testing.T) {
	begin := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	dbtest.EachEngine(t, func(t *testing.T, engine string) { // in parallel, each with a clock of its own
		var day atomic.Int64
		clock := func() time.Time { return begin.AddDate(0, 0, int(day.Load())) }
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock))
		who, id := s.Customers(1, 100)[0], s.campaign(1, 10, nil)
		first := calendar.DayOf(begin, s.Store.Zone)
		coupons, err := s.buy(who, id, func(b *purchase.Buy) { b.Quantity = 2 })
		if err != nil {
			t.Fatal(err)
		}
		mark := func(i int, used bool) {
			t.Helper()
			s.Write(func(tx *db.Tx) error {
				return purchase.MarkUsed(tx, s.Store, []purchase.Mark{{
					CustomerID: who, CampaignID: id, CouponID: coupons[i].ID, Code: coupons[i].Code, Used: used,
				}})
			})
		}
		expect := func(want map[calendar.Day]int64) {
			t.Helper()
			var used map[calendar.Day]int64
			s.Read(func(tx *db.Tx) (err error) {
				used, err = campaign.UsedIn(tx, s.Store.Key, id, first, first+9)
				return err
			})
			maps.DeleteFunc(used, func(_ calendar.Day, n int64) bool { return n == 0 })
			if !maps.Equal(used, want) {
				t.Errorf("on day %d, the uses are %v, not %v", day.Load(), used, want)
			}
		}
		expect(map[calendar.Day]int64{})
		day.Store(1)
		mark(0, true)
		mark(1, true)
		expect(map[calendar.Day]int64{first + 1: 2})
		day.Store(2)
		mark(0, false)
		expect(map[calendar.Day]int64{first + 1: 1})
		mark(0, true)
		expect(map[calendar.Day]int64{first + 1: 1, first + 2: 1})
		s.Write(func(tx *db.Tx) error {
			p, err := purchase.Lock(tx, s.Store.Key, who, coupons[1].ID)
			if err == nil {
				_, err = p.Cancel(tx, s.Store)
			}
			return err
		})
		expect(map[calendar.Day]int64{first + 2: 1})
	})
}
