package analytics

import (
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/store"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// The amounts of the journal add up to the value of the balance at the end, to the smallest unit, whatever a point
// costs and however often that changes.
func TestJournalAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &store.Store{Currency: "EUR"}
		const first, last = calendar.Day(20_000), calendar.Day(20_020)
		for day := first; day < last; day += calendar.Day(rapid.IntRange(1, 9).Draw(t, "until the next cost")) {
			s.Settings.PointCost = decimal.Rate(rapid.Int64Range(0, 2_000_000).Draw(t, "cost"))
			s.Settings.NotePointCost(day)
		}
		balance := points.Amount(rapid.Int64Range(0, 1_000_000).Draw(t, "balance"))
		movements := map[calendar.Day]movement{}
		opening := balance
		for day := first; day <= last; day++ {
			m := movement{issued: points.Amount(rapid.Int64Range(0, 10_000).Draw(t, "issued"))}
			m.redeemed = points.Amount(rapid.Int64Range(0, int64(balance+m.issued)).Draw(t, "redeemed"))
			m.expired = points.Amount(rapid.Int64Range(0, int64(balance+m.issued-m.redeemed)).Draw(t, "expired"))
			balance += m.issued - m.redeemed - m.expired
			movements[day] = m
		}
		owed, held := decimal.Money(0), points.Amount(0)
		on := func(day calendar.Day) movement { return movements[day] }
		for _, p := range postingsOf(s, period{first, last}, opening, on) {
			if p.credit == owedAccount {
				owed, held = owed+p.amount, held+p.points
			} else {
				owed, held = owed-p.amount, held-p.points
			}
			if p.amount < 0 && p.entry != "revaluation" {
				t.Fatalf("%+v is negative", p)
			}
		}
		if want := worth(s, balance, s.Settings.PointCostAt(last)); held != balance || owed != want {
			t.Fatalf("the entries add up to %s points and %s, want %s and %s", held, owed, balance, want)
		}
	})
}

// Breakage counts lots that could expire in the period, and neither those that still can nor cancelled ones.
func TestBreakage(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			var ahead atomic.Int64 // days
			begin := time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)
			clock := func() time.Time { return begin.AddDate(0, 0, int(ahead.Load())) }
			testBreakage(t, dbtest.Open(t, dbtest.Config(t, engine), clock), &ahead)
		})
	}
}

func testBreakage(t *testing.T, d *db.DB, ahead *atomic.Int64) {
	s := shoptest.Open(t, d, "BREAK", func(s *store.Settings) {
		s.PointsDaysExpiryAfter, s.PointsDaysActiveCount = store.ExpiryAfterDays, 20
	})
	var customerID string
	s.Write(func(tx *db.Tx) error {
		customerID = tx.NewID()
		_, err := points.Open(tx, s.Store, customerID)
		return err
	})
	change := func(make func(w *points.Wallet) (event.Entry, error)) {
		s.Write(func(tx *db.Tx) error {
			_, err := points.Change(tx, points.Owner{Store: s.Store, CustomerID: customerID},
				func(w *points.Wallet) ([]event.Entry, error) {
					e, err := make(w)
					return []event.Entry{e}, err
				})
			return err
		})
	}
	grant := func(value points.Amount) (made *points.Transfer) {
		change(func(w *points.Wallet) (e event.Entry, err error) {
			made, e = w.Add(points.Grant{Value: value, Issuer: points.ByAdmin, CreatedAt: d.Now()})
			return e, nil
		})
		return made
	}
	grant(decimal.Whole(100))
	wrong := grant(decimal.Whole(7))
	change(func(w *points.Wallet) (event.Entry, error) {
		t, err := w.Transfer(wrong.ID)
		if err != nil {
			return event.Entry{}, err
		}
		return w.Cancel(t)
	})
	change(func(w *points.Wallet) (event.Entry, error) {
		_, e, err := w.Spend(decimal.Whole(70), "", points.ByAdmin)
		return e, err
	})
	ahead.Store(30)
	grant(decimal.Whole(500)) // and the first lot expires
	ahead.Store(31)
	s.Read(func(tx *db.Tx) error {
		v, err := breakage(tx, s.Store, calendar.DayOf(tx.Now(), s.Store.Zone))
		if v.Issued != decimal.Whole(100) || v.Expired != decimal.Whole(30) || v.Rate == nil || *v.Rate != 300_000 {
			t.Errorf("%s of %s expired, want 30 of 100", v.Expired, v.Issued)
		}
		if v.From != "2030-06-01" || v.To != "2031-05-17" {
			t.Errorf("from %s to %s", v.From, v.To)
		}
		return err
	})
	verify(t, d, s.Store)
}
