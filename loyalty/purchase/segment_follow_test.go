package purchase_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

// follower computes segments by points, level and coupons.
type follower struct {
	*shop
	svc *segment.Service
	ids map[string]string // of segments
}

func (f *follower) segment(name, kind string, fields any) {
	f.Helper()
	f.Write(func(tx *db.Tx) error {
		made, err := f.svc.Create(tx, f.Store, segment.Draft{Name: name, Active: true, Parts: []segment.Part{{
			Criteria: []segment.Criterion{{Type: kind, Fields: fields}},
		}}})
		if err == nil {
			f.ids[name] = made.ID
		}
		return err
	})
	if _, err := f.svc.Rebuild(background, f.DB, f.Store.Key, f.ids[name]); err != nil {
		f.Fatal(err)
	}
}

// of returns the segments that a customer is in, after the job.
func (f *follower) of(customerID string) string {
	f.Helper()
	if _, err := customer.Rank(background, f.DB, f.Store); err != nil {
		f.Fatal(err)
	}
	var names []string
	f.Read(func(tx *db.Tx) error {
		found, err := segment.OfCustomers(tx, f.Store.Key, customerID)
		for _, s := range found[customerID] {
			names = append(names, s.Name)
		}
		return err
	})
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Customers enter and leave segments by points, level and unused coupons when these change: by purchases, uses and
// expiry.
func TestSegmentsFollowPurchases(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 1, 30, 12, 0, 0, 0, time.UTC))
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		f := &follower{s, segment.New(), map[string]string{}}
		f.svc.Unused = purchase.Unused
		feature.Connect(s.DB, f.svc.Feature().On...)
		lasting := s.campaign(10, 50, func(d *campaign.Draft) { d.DaysValid = 2 })
		other := s.campaign(0, 50, nil)
		f.segment("bronze", "customer_level", &segment.Levels{Levels: []string{s.Levels[0]}})
		f.segment("elsewhere", "customer_level", &segment.Levels{Levels: []string{lasting}})
		f.segment("rich", "active_points", &segment.PointRange{From: 1500, To: 2000})
		f.segment("poor", "active_points", &segment.PointRange{To: 1499})
		f.segment("any", "unused_coupons", &segment.UnusedCoupons{Min: 1, Max: 9})
		f.segment("lasting", "unused_coupons", &segment.UnusedCoupons{Campaigns: []string{lasting}, Min: 1, Max: 9})
		f.segment("none", "unused_coupons", &segment.UnusedCoupons{})
		who := s.Customers(1, 20)[0]
		expect := func(want string) {
			t.Helper()
			if got := f.of(who); got != want {
				t.Errorf("%v: in %s, want %s", clock.Now(), got, want)
			}
		}
		buy := func(id string) purchase.Coupon {
			t.Helper()
			coupons, err := s.buy(who, id, nil)
			if err != nil {
				t.Fatal(err)
			}
			return coupons[0]
		}
		expect("bronze, none, rich")
		buy(lasting)
		expect("any, bronze, lasting, poor")
		clock.Advance(3 * 24 * time.Hour)
		if _, err := purchase.Advance(background, s.DB, s.Store); err != nil {
			t.Fatal(err)
		}
		expect("bronze, none, poor")
		free := buy(other)
		expect("any, bronze, poor")
		s.Write(func(tx *db.Tx) error {
			p, err := purchase.Lock(tx, s.Store.Key, who, free.ID)
			if err == nil {
				_, err = p.Cancel(tx, s.Store)
			}
			return err
		})
		expect("bronze, none, poor")
		s.Write(func(tx *db.Tx) error {
			owner := points.Owner{Store: s.Store, CustomerID: who}
			_, err := points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
				_, added := w.Add(points.Grant{Value: 1000, Issuer: points.BySystem, CreatedAt: tx.Now()})
				return []event.Entry{added}, nil
			})
			return err
		})
		expect("bronze, none, rich")
	})
}
