package purchase_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

// coupon is a purchase of the morning of 1 May 2031, with the days of its campaign.
type coupon struct {
	name            string
	inactive, valid int64
	usedAt          time.Time // zero if unused
	stages          []stage
}

// stage is the stored status of a coupon, and its events, after the job has run at a time.
type stage struct {
	at       time.Time
	status   string
	reported string // the statuses of new events
}

func coupons() []coupon {
	day := func(d, hour, minute, second int) time.Time {
		return time.Date(2031, 5, d, hour, minute, second, 0, time.UTC)
	}
	return []coupon{
		{"for ever", 0, 0, time.Time{}, []stage{{day(1, 8, 0, 0), "active", ""}, {day(30, 8, 0, 0), "active", ""}}},
		{"begins", 3, 0, time.Time{}, []stage{
			{day(1, 8, 0, 0), "inactive", ""}, {day(4, 7, 59, 59), "inactive", ""}, {day(4, 8, 0, 0), "active", "active"},
			{day(30, 8, 0, 0), "active", ""},
		}},
		{"ends", 0, 2, time.Time{}, []stage{
			{day(3, 8, 0, 0), "active", ""}, {day(3, 8, 0, 1), "expired", "expired"}, {day(30, 8, 0, 0), "expired", ""},
		}},
		{"begins and ends", 3, 2, time.Time{}, []stage{
			{day(4, 8, 0, 0), "active", "active"}, {day(6, 8, 0, 0), "active", ""}, {day(6, 8, 0, 1), "expired", "expired"},
		}},
		{"nobody looked", 3, 2, time.Time{}, []stage{{day(6, 8, 0, 1), "expired", "active expired"}}},
		{"used ones never end", 0, 2, day(2, 8, 0, 0), []stage{
			{day(3, 8, 0, 1), "active", ""}, {day(30, 8, 0, 0), "active", ""},
		}},
		{"used before the job came", 1, 2, day(2, 9, 0, 0), []stage{
			{day(2, 9, 0, 0), "active", "active"}, {day(30, 8, 0, 0), "active", ""},
		}},
	}
}

func TestCouponsLive(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			c := dbtest.NewClock(noon)
			s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), c.Now))
			for _, one := range coupons() {
				c.Set(time.Date(2031, 5, 1, 8, 0, 0, 0, time.UTC))
				who := s.Customers(1, 10)[0]
				id := s.campaign(1, 5, func(c *campaign.Draft) { c.DaysInactive, c.DaysValid = one.inactive, one.valid })
				bought, err := s.buy(who, id, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !one.usedAt.IsZero() {
					c.Set(one.usedAt)
					s.Write(func(tx *db.Tx) error {
						return purchase.MarkUsed(tx, s.Store, []purchase.Mark{
							{CustomerID: who, CampaignID: id, CouponID: bought[0].ID, Code: bought[0].Code, Used: true},
						})
					})
				}
				reported := 0
				for _, stage := range one.stages {
					c.Set(stage.at)
					for range 2 { // the second run finds nothing to do
						if _, err := store.Everywhere(s.DB, purchase.Advance)(background); err != nil {
							t.Fatal(err)
						}
					}
					p := s.only(who)
					news := s.statusEvents(who)
					if p.Status != stage.status || strings.Join(news[reported:], " ") != stage.reported {
						t.Errorf("%s, %v: stored as %s, reported %q, want %+v", one.name, stage.at, p.Status, news[reported:], stage)
					}
					reported = len(news)
				}
			}
		})
	}
}

// only returns the one stored purchase of a customer.
func (s *shop) only(customerID string) purchase.Purchase {
	s.Helper()
	var found []purchase.Purchase
	s.Read(func(tx *db.Tx) (err error) {
		found, _, err = purchase.OwnPage(tx, s.Store, customerID, api.Page{Limit: 2})
		return err
	})
	if len(found) != 1 {
		s.Fatalf("%d purchases", len(found))
	}
	return found[0]
}

// statusEvents returns the statuses in the events of a customer's coupons.
func (s *shop) statusEvents(customerID string) []string {
	s.Helper()
	var reported []string
	for from := int64(1); ; {
		events, _, err := event.List(background, s.DB, from, 100, false)
		if err != nil {
			s.Fatal(err)
		}
		for _, e := range events {
			var payload struct{ Status string }
			if err := json.Unmarshal(e.Payload, &payload); err != nil {
				s.Fatal(err)
			}
			if e.AggregateID == customerID && strings.HasSuffix(e.Type, ".User.Event.CampaignStatusWasChanged") {
				reported = append(reported, payload.Status)
			}
			from = e.ID + 1
		}
		if len(events) < 100 {
			return reported
		}
	}
}

// With more coupons than one transaction takes and concurrent runs, every change is recorded exactly once.
func TestManyCouponsAdvanceOnce(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			c := dbtest.NewClock(noon)
			s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), c.Now))
			who := s.Customers(1, 0)[0]
			const n = 450
			id := s.campaign(0, n, func(c *campaign.Draft) { c.DaysInactive, c.DaysValid = 1, 1 })
			if _, err := s.buy(who, id, func(b *purchase.Buy) { b.Quantity = n }); err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				after    time.Duration
				reported int
			}{{23 * time.Hour, 0}, {24 * time.Hour, n}, {49 * time.Hour, 2 * n}, {99 * time.Hour, 2 * n}} {
				c.Set(noon.Add(step.after))
				var all sync.WaitGroup
				for range 3 {
					all.Go(func() {
						if _, err := store.Everywhere(s.DB, purchase.Advance)(context.Background()); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				if reported := len(s.statusEvents(who)); reported != step.reported {
					t.Errorf("after %v: %d changes reported, want %d", step.after, reported, step.reported)
				}
			}
		})
	}
}

// A run that is stopped leaves no coupon half changed, and the next run continues.
func TestAdvanceCanBeStopped(t *testing.T) {
	c := dbtest.NewClock(noon)
	s := newShop(t, dbtest.Open(t, dbtest.Config(t, "sqlite"), c.Now))
	who, id := s.Customers(1, 0)[0], s.campaign(0, 1, func(c *campaign.Draft) { c.DaysInactive = 1 })
	if _, err := s.buy(who, id, nil); err != nil {
		t.Fatal(err)
	}
	c.Set(noon.Add(24 * time.Hour))
	stopped, stop := context.WithCancel(background)
	stop()
	done, err := store.Everywhere(s.DB, purchase.Advance)(stopped)
	if reported := s.statusEvents(who); done != 0 || len(reported) != 0 {
		t.Errorf("a stopped run did %d, reported %v, %v", done, reported, err)
	}
	done, err = store.Everywhere(s.DB, purchase.Advance)(background)
	if reported := s.statusEvents(who); done != 1 || err != nil || len(reported) != 1 || reported[0] != "active" {
		t.Errorf("the next run did %d, reported %v, %v", done, reported, err)
	}
}

// Due coupons are found by an index, earliest first, and not sorted before the limit.
func TestWhatIsDueIsFoundByItsIndex(t *testing.T) {
	dbtest.Both(t)
	config := dbtest.Config(t, "sqlite")
	due := map[string][]any{}
	config.Trace = func(query string, args []any) {
		if strings.Contains(query, "CROSS JOIN purchases") {
			due[query] = slices.Clone(args)
		}
	}
	d := dbtest.Open(t, config, clockAtNoon)
	s := newShop(t, d)
	if _, err := store.Everywhere(d, purchase.Advance)(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Read(func(tx *db.Tx) error {
		var found string
		for query, args := range maps.Clone(due) {
			shown, err := plan(tx, query, args)
			if err != nil {
				return err
			}
			found += shown + "\n"
		}
		for _, index := range []string{
			"purchases_active_since (store_id=? AND status=? AND active_since>? AND active_since<?)",
			"purchases_active_to (store_id=? AND status=? AND used=? AND active_to>? AND active_to<?)",
		} {
			if !strings.Contains(found, index) {
				t.Errorf("%s is not in %s", index, found)
			}
		}
		if n := strings.Count(found, "TEMP B-TREE"); n != 2 { // the order of locking
			t.Errorf("%d sorts in %s", n, found)
		}
		return nil
	})
}
