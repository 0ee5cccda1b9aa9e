package notification_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Each customer of an audience is notified of a campaign once, whatever changes afterwards.
func TestEachIsToldOnce(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(3)
		s.announces(0)
		sale := s.campaign("Sale", nil)
		s.campaign("Silent", func(d *campaign.Draft) { d.Definition.PushNotificationText = "" })
		s.campaign("Percent", func(d *campaign.Draft) { d.Reward = campaign.PercentageDiscount })
		s.campaign("Sold out", func(d *campaign.Draft) { d.Codes, d.SingleCoupon = nil, false })
		rich := s.campaign("Rich", func(d *campaign.Draft) { d.Definition.Levels = []string{s.high} })
		s.announces(3)
		s.announces(0)
		s.expect("Sale", ids...)
		if got := s.state(sale); got != "finished 3 3 3" {
			s.Error(got)
		}
		s.move(ids[0], s.high)
		s.announces(1)
		s.expect("Rich,Sale", ids[0])
		s.setActive(sale, false)
		late := s.customers(1)
		s.move(ids[0], s.low)
		s.announces(0)
		if got := s.state(sale); got != "closed 3 3 3" {
			s.Error(got)
		}
		s.setActive(sale, true)
		s.announces(1)
		s.expect("Sale", late...)
		s.move(ids[0], s.high)
		s.move(ids[1], s.high)
		s.announces(1)
		s.expect("Rich,Sale", ids[:2]...)
		s.expect("Sale", ids[2])
		if got := s.state(rich); got != "finished 0 0 2" {
			s.Error(got)
		}
		if n := s.number(`SELECT COUNT(*) FROM customer_arrivals`); n != 0 {
			s.Errorf("%d arrivals are left", n)
		}
	})
}

// Customers who cannot log in are notified when they can. Customers who left are not.
func TestOnlyActiveCustomersAreTold(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(2)
		s.write(func(tx *db.Tx) error {
			if err := customer.Deactivate(tx, s.store, ids[0]); err != nil {
				return err
			}
			c, _, err := customer.Lock(tx, s.store, ids[1])
			if err != nil {
				return err
			}
			return customer.Delete(tx, s.store, c)
		})
		s.campaign("Sale", nil)
		s.announces(0)
		s.write(func(tx *db.Tx) error { return customer.Activate(tx, s.store, ids[0]) })
		s.announces(1)
		s.expect("Sale", ids[0])
		s.expect("", ids[1])
	})
}

// Customers who deleted their account are notified of no campaigns and of nothing that ends.
func TestLeavingCustomersAreNotNotified(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(2)
		s.grants(ids[0], 5, 10)
		s.grants(ids[1], 5, 10)
		s.write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.store, ids[1])
			if err != nil {
				return err
			}
			return erasure.Plan(tx, c.StoreKey, c.ID, tx.Now().Add(14*24*time.Hour))
		})
		s.campaign("Sale", nil)
		s.announces(1)
		s.tells(1)
		s.expect("Sale,points_ending", ids[0])
		s.expect("", ids[1])
		s.write(func(tx *db.Tx) error { return erasure.Cancel(tx, s.store.Key, ids[1]) })
		s.campaign("Tea", nil)
		s.announces(2)
	})
}

// Newcomers are not notified of what is on offer already, but of what they can buy later.
func TestNewcomers(t *testing.T) {
	eachShop(t, func(s *shop) {
		sale := s.campaign("Sale", nil)
		s.campaign("Cake", nil)
		s.campaign("Rich", func(d *campaign.Draft) { d.Definition.Levels = []string{s.high} })
		s.announces(0)
		ids := s.newcomers(2)
		var fresh *customer.Customer
		s.write(func(tx *db.Tx) (err error) {
			fresh, err = customer.Register(tx, s.store, customer.Registration{FirstName: "Eva", Email: "eva@example.com"})
			return err
		})
		s.announces(0)
		s.write(func(tx *db.Tx) error { return customer.Activate(tx, s.store, fresh.ID) })
		s.announces(0)
		ids = append(ids, fresh.ID)
		s.expect("", ids...)
		if got := s.state(sale); got != "finished 0 0 0" {
			s.Error(got)
		}
		s.setActive(sale, false)
		s.announces(0)
		s.setActive(sale, true)
		s.announces(0)
		s.campaign("Tea", nil)
		s.announces(3)
		s.expect("Tea", ids...)
		s.move(ids[0], s.high)
		s.announces(1)
		s.expect("Rich,Tea", ids[0])
	})
}

// An audience that grows while it is walked through is not more than complete.
func TestProgressOfAGrowingAudience(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.customers(60)
		s.announces(0)
		sale := s.campaign("Sale", nil)
		ctx, stop := context.WithCancel(context.Background())
		stopAtCommit(s.db, 2, stop)
		if _, err := notification.Announce(s.desk)(ctx, s.db, s.store); err != nil && ctx.Err() == nil {
			s.Fatal(err)
		}
		s.newcomers(30)
		if _, err := notification.Announce(s.desk)(context.Background(), s.db, s.store); err != nil {
			s.Fatal(err)
		}
		if got := s.state(sale); got != "finished 90 90 60" {
			s.Error(got)
		}
	})
}

// A campaign becomes available when the later of its windows opens, and is not when one is over.
func TestWindows(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(1)
		window := func(from, to string) campaign.Window {
			return campaign.Window{From: s.moment(from), To: s.moment(to)}
		}
		id := s.campaign("Sale", func(d *campaign.Draft) {
			d.Visibility = window("2031-07-04T00:00:00Z", "2031-07-10T00:00:00Z")
			d.Activity = window("2031-07-05T00:00:00Z", "2031-07-09T00:00:00Z")
		})
		for _, moment := range []string{"2031-07-03T10:00:00Z", "2031-07-04T10:00:00Z", "2031-07-04T23:59:59Z"} {
			s.at(moment)
			s.announces(0)
		}
		s.at("2031-07-05T00:00:00Z")
		s.announces(1)
		s.expect("Sale", ids...)
		s.at("2031-07-09T00:00:01Z")
		late := s.customers(1)
		s.announces(0)
		s.expect("", late...)
		if got := s.state(id); got != "closed 1 1 1" {
			s.Error(got)
		}
	})
}

// The clock of a sandbox opens windows too.
func TestSandboxClock(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.customers(1)
		s.campaign("Sale", func(d *campaign.Draft) {
			d.Visibility = campaign.Window{From: s.moment("2031-08-01T00:00:00Z"), To: s.moment("2031-08-10T00:00:00Z")}
		})
		s.announces(0)
		s.store.Ahead = s.moment("2031-08-02T00:00:00Z").Sub(s.clock.Now())
		s.announces(1)
	})
}

func labelled(key string) segment.Draft {
	return segment.Draft{Name: "Labelled", Active: true, Parts: []segment.Part{{Criteria: []segment.Criterion{{
		Type: "customer_has_labels", Fields: &segment.HasLabels{Labels: []segment.Label{{Key: key}}},
	}}}}}
}

// Members of a segment are notified, both those added by its rebuild and those who enter on their
// own.
func TestSegments(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(3)
		label := func(id, key string) {
			s.write(func(tx *db.Tx) error {
				c, _, err := customer.Lock(tx, s.store, id)
				if err != nil {
					return err
				}
				if err := customer.SetLabels(tx, s.store, c, []customer.Label{{Key: key, Value: "1"}}); err != nil {
					return err
				}
				return segment.New().Recheck(tx, s.store, id)
			})
		}
		var of *segment.Segment
		s.write(func(tx *db.Tx) (err error) {
			of, err = segment.New().Create(tx, s.store, labelled("vip"))
			return err
		})
		label(ids[0], "vip")
		label(ids[2], "late")
		id := s.campaign("VIP", func(d *campaign.Draft) { d.Definition.Levels, d.Definition.Segments = nil, []string{of.ID} })
		s.announces(0)
		rebuild := func() {
			if _, err := segment.New().Rebuild(context.Background(), s.db, s.store.Key, of.ID); err != nil {
				s.Fatal(err)
			}
		}
		rebuild()
		s.announces(1)
		s.expect("VIP", ids[0])
		label(ids[1], "vip")
		s.announces(1)
		s.expect("VIP", ids[:2]...)
		label(ids[0], "none")
		label(ids[0], "vip")
		s.announces(0)
		s.write(func(tx *db.Tx) error { return segment.New().Update(tx, s.store, of.ID, labelled("late")) })
		s.announces(0)
		rebuild()
		s.announces(1)
		s.expect("VIP", ids...)
		if got := s.state(id); got != "finished 1 1 3" {
			s.Error(got)
		}
	})
}

// A job that stops in the middle of an audience continues there, on this node or another one.
func TestStopInTheMiddle(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(420)
		s.announces(0)
		id := s.campaign("Sale", nil)
		ctx, stop := context.WithCancel(context.Background())
		stopAtCommit(s.db, 4, stop) // the beginning, and three chunks
		got, err := notification.Announce(s.desk)(ctx, s.db, s.store)
		if err != nil || got != 150 {
			s.Fatalf("%d were notified: %v", got, err)
		}
		if got := s.state(id); got != "running 420 150 150" {
			s.Error(got)
		}
		s.db = dbtest.Open(s.T, s.config, s.clock.Now)
		s.announces(270)
		s.expect("Sale", ids...)
		if got := s.state(id); got != "finished 420 420 420" {
			s.Error(got)
		}
	})
}

// A campaign that is deactivated in the middle stops, and continues with the rest of the audience
// when activated.
func TestSwitchedOffInTheMiddle(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(s *shop) {
		ids := s.customers(200)
		s.announces(0)
		id := s.campaign("Sale", nil)
		var waiting sync.WaitGroup
		stopAtCommit(s.db, 2, func() { waiting.Go(func() { s.setActive(id, false) }) })
		if _, err := notification.Announce(s.desk)(context.Background(), s.db, s.store); err != nil {
			s.Fatal(err)
		}
		waiting.Wait()
		before := len(s.inboxes())
		s.announces(0)
		s.setActive(id, true)
		s.announces(int64(len(ids) - before))
		s.expect("Sale", ids...)
	})
}

// Nobody is notified twice or left out while two nodes work, customers change level and campaigns
// are switched.
func TestTwoNodes(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(s *shop) {
		ids := s.customers(150)
		low := s.campaign("Low", nil)
		s.campaign("High", func(d *campaign.Draft) { d.Definition.Levels = []string{s.high} })
		other := s.db
		if s.config.URL != "" { // a SQLite file belongs to one process
			other = dbtest.Open(s.T, s.config, s.clock.Now)
		}
		var changing, all sync.WaitGroup
		changing.Go(func() {
			for _, id := range ids[:30] {
				s.move(id, s.high)
			}
		})
		changing.Go(func() {
			for range 6 {
				s.setActive(low, false)
				s.setActive(low, true)
			}
		})
		changed := make(chan struct{})
		for _, d := range []*db.DB{s.db, other, s.db} {
			all.Go(func() {
				for last := false; !last; {
					select {
					case <-changed:
						last = true
					default:
					}
					if _, err := notification.Announce(s.desk)(context.Background(), d, s.store); err != nil {
						s.Error(err)
						return
					}
				}
			})
		}
		changing.Wait()
		close(changed)
		all.Wait()
		inboxes := s.inboxes()
		for i, id := range ids {
			got := inboxes[id]
			slices.Sort(got)
			want := [][]string{{"Low"}}
			if i < 30 { // customers who moved may have been notified of the first campaign before
				want = [][]string{{"High"}, {"High", "Low"}}
			}
			if !slices.ContainsFunc(want, func(w []string) bool { return slices.Equal(w, got) }) {
				s.Errorf("customer %d was notified of %v", i, got)
			}
		}
	})
}
