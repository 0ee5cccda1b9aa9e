package points_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

func newClock() *dbtest.Clock {
	return dbtest.NewClock(time.Date(2031, 3, 3, 10, 15, 0, 0, time.UTC))
}

// owner creates a store with an account whose points are valid for 30 days and pending for lockDays.
func owner(t testing.TB, d *db.DB, lockDays int) points.Owner {
	t.Helper()
	settings := store.DefaultSettings()
	settings.Timezone = "Europe/Oslo"
	settings.AllTimeNotLocked, settings.PointsDaysLocked = lockDays == 0, lockDays
	o := points.Owner{CustomerID: db.NewID()}
	err := d.Write(background, func(tx *db.Tx) (err error) {
		o.Store, err = store.Create(tx, store.New{
			Code: "S" + db.NewID()[:8] + db.NewID()[24:], Name: "Shop", Currency: "EUR", Settings: settings,
		})
		if err == nil {
			_, err = points.Open(tx, o.Store, o.CustomerID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func change(d *db.DB, o points.Owner, decide func(w *points.Wallet) (event.Entry, error)) error {
	return d.Write(background, func(tx *db.Tx) error {
		_, err := points.Change(tx, o, func(w *points.Wallet) ([]event.Entry, error) {
			entry, err := decide(w)
			return []event.Entry{entry}, err
		})
		return err
	})
}

func grant(d *db.DB, o points.Owner, value points.Amount, days int) (id string, err error) {
	err = change(d, o, func(w *points.Wallet) (event.Entry, error) {
		lot, entry := w.Add(points.Grant{Value: value, Issuer: points.ByAdmin, ValidDays: days, CreatedAt: d.Now()})
		id = lot.ID
		return entry, nil
	})
	return id, err
}

func spend(d *db.DB, o points.Owner, value points.Amount) (id string, err error) {
	err = change(d, o, func(w *points.Wallet) (event.Entry, error) {
		t, entry, err := w.Spend(value, "test", points.BySystem)
		if err == nil {
			id = t.ID
		}
		return entry, err
	})
	return id, err
}

func balance(t testing.TB, d *db.DB, o points.Owner) points.Account {
	t.Helper()
	var a points.Account
	err := d.Read(background, func(tx *db.Tx) (err error) {
		a, err = points.Balance(tx, o.Store, o.CustomerID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// explain checks that the stored sums of the account follow from its lots.
func explain(t testing.TB, d *db.DB, o points.Owner, a points.Account) {
	t.Helper()
	var points_, locked, expired, earned, blocked, given, taken points.Amount
	err := d.Read(background, func(tx *db.Tx) error {
		lots, err := points.Every(tx, o.Store.Key, o.CustomerID)
		for _, l := range lots {
			isLot := l.Type == points.Adding
			switch {
			case isLot && l.State == points.Active:
				points_ += l.Available
			case isLot && l.State == points.Pending:
				locked += l.Available
			case isLot && l.State == points.Expired:
				expired += l.Lapsed
			case l.Type == points.Blocked && l.State == points.Active:
				blocked += l.Value
			}
			if isLot && l.State != points.Canceled {
				earned += l.Value
				given += l.Value - l.Available - l.Lapsed
			}
			if !isLot && l.State == points.Active {
				for _, part := range l.Lots {
					if lotOf(lots, part.LotID).State != points.Canceled {
						taken += points.Amount(part.Amount)
					}
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := [...]points.Amount{a.Points, a.Locked, a.Expired, a.Earned, a.Blocked, given}
	want := [...]points.Amount{points_, locked, expired, earned, blocked, taken}
	if got != want || a.Points < 0 {
		t.Fatalf("account %v (points, locked, expired, earned, blocked, given), lots say %v", got, want)
	}
}

func lotOf(lots []points.Transfer, id string) points.Transfer {
	for _, l := range lots {
		if l.ID == id {
			return l
		}
	}
	panic("a spend names a lot that does not exist: " + id)
}

// After any sequence of grants, spends, blocks, returns, cancels and expiries, the account agrees with its lots and
// is never below zero.
func TestAnySequenceKeepsTheLedgerExplained(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			rapid.Check(t, func(r *rapid.T) {
				o := owner(t, d, rapid.IntRange(0, 3).Draw(r, "lockDays"))
				var ids []string
				for range rapid.IntRange(1, 25).Draw(r, "steps") {
					id, err := step(r, c, d, o, ids)
					if err != nil && !expected(err) {
						r.Fatalf("step: %v", err)
					}
					if id != "" {
						ids = append(ids, id)
					}
				}
				settle(t, d, o)
				explain(t, d, o, balance(t, d, o))
			})
		})
	}
}

func expected(err error) bool {
	for _, e := range []error{points.ErrNotEnough, points.ErrNotCancelable, points.ErrNotActive} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// settle stores the lots that are due, as any change does.
func settle(t testing.TB, d *db.DB, o points.Owner) {
	t.Helper()
	err := d.Write(background, func(tx *db.Tx) error {
		wallets, err := points.Lock(tx, o)
		if err != nil {
			return err
		}
		return wallets.Save()
	})
	if err != nil {
		t.Fatal(err)
	}
}

func step(r *rapid.T, c *dbtest.Clock, d *db.DB, o points.Owner, ids []string) (string, error) {
	amount := func() points.Amount { return points.Amount(rapid.Int64Range(1, 5000).Draw(r, "amount")) }
	pick := func(act func(w *points.Wallet, t *points.Transfer) (event.Entry, error)) error {
		if len(ids) == 0 {
			return nil
		}
		id := rapid.SampledFrom(ids).Draw(r, "transfer")
		return change(d, o, func(w *points.Wallet) (event.Entry, error) {
			t, err := w.Transfer(id)
			if err != nil {
				return event.Entry{}, err
			}
			return act(w, t)
		})
	}
	switch rapid.IntRange(0, 7).Draw(r, "action") {
	case 0, 1:
		return grant(d, o, amount(), rapid.IntRange(0, 40).Draw(r, "days"))
	case 2, 3:
		return spend(d, o, amount())
	case 4:
		var id string
		err := change(d, o, func(w *points.Wallet) (event.Entry, error) {
			t, entry, err := w.Block(amount(), "", points.ByAdmin)
			if err == nil {
				id = t.ID
			}
			return entry, err
		})
		return id, err
	case 5:
		return "", pick((*points.Wallet).Cancel)
	case 6:
		if rapid.Bool().Draw(r, "return") {
			return "", pick((*points.Wallet).Return)
		}
		return "", pick((*points.Wallet).Expire)
	}
	c.Advance(time.Duration(rapid.IntRange(1, 24*15).Draw(r, "hours")) * time.Hour)
	return "", nil
}

// Five hundred concurrent spends of one customer's points take the whole balance and no more.
func TestParallelSpendsNeverOverdraw(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := owner(t, d, 0)
		for range 10 {
			if _, err := grant(d, o, 500, 0); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		results := make(chan error, 500)
		for range 500 {
			all.Go(func() {
				_, err := spend(d, o, 100)
				results <- err
			})
		}
		all.Wait()
		close(results)
		spent := 0
		for err := range results {
			if err == nil {
				spent++
			} else if !errors.Is(err, points.ErrNotEnough) {
				t.Error(err)
			}
		}
		a := balance(t, d, o)
		if spent != 50 || a.Points != 0 || a.Used != 5000 {
			t.Errorf("%d spends of 1 point from 50 points, balance %v, used %v", spent, a.Points, a.Used)
		}
		explain(t, d, o, a)
	})
}

// The examples of docs/behaviour/points.md#expiry in Oslo: pending for 7 days, valid for 30 days.
func TestLotIsPendingThenActiveThenExpired(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock() // 2031-03-03 11:15 in Oslo
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			o := owner(t, d, 7)
			id, err := grant(d, o, 1000, 0)
			if err != nil {
				t.Fatal(err)
			}
			expect := func(at string, spendable, locked, expired points.Amount) {
				t.Helper()
				moment, err := time.Parse(time.RFC3339, at)
				if err != nil {
					t.Fatal(err)
				}
				c.Advance(moment.Sub(c.Now()))
				a := balance(t, d, o)
				if a.Points != spendable || a.Locked != locked || a.Expired != expired {
					t.Errorf("at %s: spendable %v, locked %v, expired %v", at, a.Points, a.Locked, a.Expired)
				}
			}
			expect("2031-03-10T11:14:59+01:00", 0, 1000, 0)
			expect("2031-03-10T11:15:00+01:00", 1000, 0, 0)
			if _, err := spend(d, o, 300); err != nil {
				t.Fatal(err)
			}
			expect("2031-04-09T23:59:59+02:00", 700, 0, 0) // daylight saving time began on 30 March
			expect("2031-04-10T00:00:00+02:00", 0, 0, 700)
			settle(t, d, o)
			explain(t, d, o, balance(t, d, o))
			if _, err := spend(d, o, 1); !errors.Is(err, points.ErrNotEnough) {
				t.Errorf("an expired lot was spent: %v", err)
			}
			const want = "[PointsWereAdded PointsTransferHasBeenUnlocked PointsWereSpent PointsTransferHasBeenExpired]"
			if got := eventTypes(t, d); fmt.Sprint(got) != want {
				t.Errorf("events %v of lot %s", got, id)
			}
		})
	}
}

func TestSpendTakesTheSoonestExpiryFirstAndReturnsToTheSameLots(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := owner(t, d, 0)
		late, _ := grant(d, o, 1000, 20)
		soon, _ := grant(d, o, 1000, 10)
		id, err := spend(d, o, 1500)
		if err != nil {
			t.Fatal(err)
		}
		left := func() map[string]points.Amount {
			m := map[string]points.Amount{}
			err := d.Read(background, func(tx *db.Tx) error {
				all, err := points.Every(tx, o.Store.Key, o.CustomerID)
				for _, l := range all {
					m[l.ID] = l.Available
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		if m := left(); m[soon] != 0 || m[late] != 500 {
			t.Errorf("soonest lot has %v left, the later one %v", m[soon], m[late])
		}
		err = change(d, o, func(w *points.Wallet) (event.Entry, error) {
			t, err := w.Transfer(id)
			if err != nil {
				return event.Entry{}, err
			}
			return w.Return(t)
		})
		if err != nil {
			t.Fatal(err)
		}
		if m := left(); m[soon] != 1000 || m[late] != 1000 {
			t.Errorf("after the return: %v and %v", m[soon], m[late])
		}
		explain(t, d, o, balance(t, d, o))
	})
}

func eventTypes(t *testing.T, d *db.DB) []string {
	t.Helper()
	events, _, err := event.List(background, d, 1, 100, false)
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, e := range events {
		types = append(types, e.Type[len("Platform.Domain.Account.Event."):])
	}
	return types
}
