package analytics

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// TestSumsFollowTheLedger changes the points of some customers at random over months, and compares the sums with the
// rows in between.
func TestSumsFollowTheLedger(t *testing.T) {
	var ahead atomic.Int64 // hours; background work reads the clock, too
	begin := time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return begin.Add(time.Duration(ahead.Load()) * time.Hour) }
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := shoptest.Open(t, d, "SUMS", func(s *store.Settings) {
			s.AllTimeNotLocked, s.PointsDaysLocked = false, 3
			s.PointsDaysExpiryAfter, s.PointsDaysActiveCount = store.ExpiryAfterDays, 20
		})
		random := rand.New(rand.NewPCG(1, 2))
		customers := make([]string, 4)
		s.Write(func(tx *db.Tx) error {
			for i := range customers {
				customers[i] = tx.NewID()
				if _, err := points.Open(tx, s.Store, customers[i]); err != nil {
					return err
				}
			}
			return nil
		})
		made := map[string][]string{}
		for step := range 300 {
			ahead.Add(int64(random.IntN(20)))
			who := customers[random.IntN(len(customers))]
			err := store.Write(t.Context(), d, s.Store, func(tx *db.Tx) error {
				_, err := points.Change(tx, points.Owner{Store: s.Store, CustomerID: who},
					func(w *points.Wallet) ([]event.Entry, error) {
						return act(tx, w, random, made[who], func(id string) {
							made[who] = append(made[who], id)
						})
					})
				return err
			})
			if err != nil && !errors.Is(err, points.ErrNotEnough) && !errors.Is(err, points.ErrNotCancelable) &&
				!errors.Is(err, points.ErrNotActive) && !errors.Is(err, points.ErrNotPending) {
				t.Fatal(err)
			}
			if step%30 == 29 {
				verify(t, d, s.Store)
			}
		}
	})
}

// act makes one change at random.
func act(tx *db.Tx, w *points.Wallet, random *rand.Rand, made []string, add func(id string)) ([]event.Entry, error) {
	value := points.Amount(1 + random.IntN(5000))
	old := func() (*points.Transfer, error) {
		if len(made) == 0 {
			return nil, points.ErrNotCancelable
		}
		return w.Transfer(made[random.IntN(len(made))])
	}
	one := func(t *points.Transfer, e event.Entry, err error) ([]event.Entry, error) {
		if err == nil && t != nil {
			add(t.ID)
		}
		return []event.Entry{e}, err
	}
	switch random.IntN(8) {
	case 0, 1:
		t, e := w.Add(points.Grant{Value: value, Issuer: points.ByAdmin, CreatedAt: tx.Now()})
		return one(t, e, nil)
	case 2:
		return one(w.Spend(value, "", points.ByAdmin))
	case 3:
		return one(w.Block(value, "", points.ByAdmin))
	case 7:
		if random.IntN(10) == 0 {
			return []event.Entry{w.Reset()}, nil
		}
		return nil, nil
	}
	t, err := old()
	if err != nil {
		return nil, err
	}
	change := []func(*points.Transfer) (event.Entry, error){w.Cancel, w.Return, w.Expire, w.Unlock}[random.IntN(4)]
	e, err := change(t)
	return one(nil, e, err)
}

// verify expects that the sums equal the rows, and that nothing is to be corrected.
func verify(t *testing.T, d *db.DB, s *store.Store) {
	t.Helper()
	for range 2 {
		if n, err := Correct(t.Context(), d, s); err != nil || n != 0 {
			t.Fatalf("%d days were wrong, %v", n, err)
		}
	}
	runRules(t, d, Rules())
}

func runRules(t *testing.T, d *db.DB, rules []check.Rule) {
	t.Helper()
	_, err := check.Run(t.Context(), d, rules, check.Report{
		Begin: func(string, int, int) {}, More: func(string, int64) {},
		Finding: func(f check.Finding) { t.Error(f) },
	})
	if err != nil {
		t.Fatal(err)
	}
}
