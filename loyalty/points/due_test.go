package points_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

func TestUnlock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := owner(t, d, 7)
		id, err := grant(d, o, 500, 0)
		if err != nil {
			t.Fatal(err)
		}
		unlock := func(id string) error {
			return change(d, o, func(w *points.Wallet) (event.Entry, error) {
				lot, err := w.Transfer(id)
				if err != nil {
					return event.Entry{}, err
				}
				return w.Unlock(lot)
			})
		}
		if err := unlock(id); err != nil {
			t.Fatal(err)
		}
		if a := balance(t, d, o); a.Points != 500 || a.Locked != 0 || a.NextDueAt.IsZero() {
			t.Errorf("%+v", a)
		}
		taken, err := spend(d, o, 200)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{id, taken} {
			if err := unlock(id); !errors.Is(err, points.ErrNotPending) {
				t.Errorf("what is not pending: %v", err)
			}
		}
		explain(t, d, o, balance(t, d, o))
		if got := fmt.Sprint(eventTypes(t, d)); got != "[PointsWereAdded PointsTransferHasBeenUnlocked PointsWereSpent]" {
			t.Errorf("events %s", got)
		}
	})
}

func TestResetEndsEveryLot(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			o := owner(t, d, 7)
			if _, err := grant(d, o, 500, 0); err != nil {
				t.Fatal(err)
			}
			c.Advance(8 * 24 * time.Hour)
			if _, err := grant(d, o, 300, 0); err != nil { // this one is locked
				t.Fatal(err)
			}
			if _, err := spend(d, o, 100); err != nil {
				t.Fatal(err)
			}
			reset := func() {
				err := change(d, o, func(w *points.Wallet) (event.Entry, error) { return w.Reset(), nil })
				if err != nil {
					t.Fatal(err)
				}
				a := balance(t, d, o)
				if a.Points != 0 || a.Locked != 0 || a.Expired != 700 || a.Earned != 800 || a.Used != 100 {
					t.Errorf("%+v", a)
				}
				explain(t, d, o, a)
			}
			reset()
			reset() // nothing is left to lose
			c.Advance(60 * 24 * time.Hour)
			settle(t, d, o)
			explain(t, d, o, balance(t, d, o))
			const want = "[PointsWereAdded PointsTransferHasBeenUnlocked PointsWereAdded PointsWereSpent " +
				"PointsHasBeenReset PointsHasBeenReset]"
			if got := fmt.Sprint(eventTypes(t, d)); got != want {
				t.Errorf("events %s", got)
			}
		})
	}
}

func TestDueNamesWhoHasToBeSettled(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			owners := []points.Owner{owner(t, d, 0)}
			for i, days := range []int{9, 5, 40, 0} { // the last account has no points
				if i > 0 {
					owners = append(owners, sibling(t, d, owners[0]))
				}
				o := owners[i]
				if days == 0 {
					continue
				}
				if _, err := grant(d, o, 500, days); err != nil {
					t.Fatal(err)
				}
			}
			due := func(limit int) []int {
				var found []int
				err := d.Read(background, func(tx *db.Tx) error {
					named, err := points.Due(tx, owners[0].Store, limit)
					for _, o := range named {
						found = append(found, slices.IndexFunc(owners, func(known points.Owner) bool {
							return known.CustomerID == o.CustomerID && known.Store.Key == o.Store.Key
						}))
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				return found
			}
			expect := func(limit int, want ...int) {
				t.Helper()
				if got := due(limit); !slices.Equal(got, want) {
					t.Errorf("due at %s: %v, want %v", c.Now(), got, want)
				}
			}
			other := owner(t, d, 0)
			if _, err := grant(d, other, 500, 1); err != nil { // due in another store
				t.Fatal(err)
			}
			expect(10)
			c.Advance(6 * 24 * time.Hour)
			expect(10, 1)
			c.Advance(4 * 24 * time.Hour)
			expect(10, 1, 0)
			expect(1, 1)
			settle(t, d, owners[1])
			expect(10, 0)
			settle(t, d, owners[0])
			expect(10)
		})
	}
}

func TestEarnedSince(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			o := owner(t, d, 0)
			other := sibling(t, d, o)
			add := func(value points.Amount, days int) string {
				id, err := grant(d, o, value, days)
				if err != nil {
					t.Fatal(err)
				}
				c.Advance(time.Hour)
				return id
			}
			begin := c.Now()
			add(1, 5)
			second := c.Now()
			add(10, 90)
			canceled := add(100, 90)
			err := change(d, o, func(w *points.Wallet) (event.Entry, error) {
				lot, err := w.Transfer(canceled)
				if err != nil {
					return event.Entry{}, err
				}
				return w.Cancel(lot)
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := grant(d, other, 1000, 90); err != nil {
				t.Fatal(err)
			}
			if _, err := give(d, other, o, 1000); err != nil {
				t.Fatal(err)
			}
			if _, err := spend(d, o, 5); err != nil {
				t.Fatal(err)
			}
			o.Store.Settings.AllTimeNotLocked, o.Store.Settings.PointsDaysLocked = false, 7
			add(10_000, 90)
			expect := func(since time.Time, want points.Amount) {
				t.Helper()
				err := d.Read(background, func(tx *db.Tx) error {
					got, err := points.EarnedSince(tx, o.Store.Key, []string{o.CustomerID}, since)
					if got != want {
						t.Errorf("since %s at %s: %v, want %v", since, tx.Now(), got, want)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			expect(time.Time{}, 11)
			expect(begin.Add(-time.Microsecond), 11)
			expect(begin, 10) // after the moment, not at it
			expect(second, 0)
			c.Advance(8 * 24 * time.Hour) // unlocked, and the first lot has expired
			expect(begin.Add(-time.Microsecond), 10_011)
			expect(second, 10_000)
			expect(c.Now(), 0)
		})
	}
}

// What returns take was not earned: from the sale's own period, also when the return comes later.
func TestEarnedSinceIsLessReturns(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			o := owner(t, d, 0)
			sold := func(saleID string, value points.Amount) {
				t.Helper()
				err := change(d, o, func(w *points.Wallet) (event.Entry, error) {
					_, entry := w.Add(points.Grant{
						Value: value, Issuer: points.BySystem, TransactionID: saleID, CreatedAt: d.Now(),
					})
					return entry, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				c.Advance(time.Hour)
			}
			returned := func(saleID string, value points.Amount) {
				t.Helper()
				err := change(d, o, func(w *points.Wallet) (event.Entry, error) {
					moved, err := w.OfSale(saleID)
					return w.TakeBack(moved, value, db.NewID(), "Return")[0], err
				})
				if err != nil {
					t.Fatal(err)
				}
				c.Advance(time.Hour)
			}
			first, second, pending := db.NewID(), db.NewID(), db.NewID()
			sold(first, 100)
			between := c.Now()
			sold(second, 40)
			if _, err := spend(d, o, 10); err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				change       func()
				ever, recent points.Amount
			}{
				{func() {}, 140, 40},
				{func() { returned(second, 5) }, 135, 35},
				{func() { returned(first, 60) }, 75, 35}, // not of the time since
				{func() { returned(second, 35) }, 40, 0},
				{func() {
					o.Store.Settings.AllTimeNotLocked, o.Store.Settings.PointsDaysLocked = false, 7
					sold(pending, 1000)
					returned(pending, 300)
				}, 40, 0},
				{func() { c.Advance(8 * 24 * time.Hour) }, 740, 700},
			} {
				step.change()
				for since, want := range map[time.Time]points.Amount{{}: step.ever, between.Add(-time.Second): step.recent} {
					err := d.Read(background, func(tx *db.Tx) error {
						got, err := points.EarnedSince(tx, o.Store.Key, []string{o.CustomerID}, since)
						if got != want {
							t.Errorf("since %s at %s: %v, want %v", since, tx.Now(), got, want)
						}
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// sibling opens another account in the same store.
func sibling(t testing.TB, d *db.DB, of points.Owner) points.Owner {
	t.Helper()
	o := points.Owner{Store: of.Store, CustomerID: db.NewID()}
	err := d.Write(background, func(tx *db.Tx) error {
		_, err := points.Open(tx, o.Store, o.CustomerID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}
