package analytics

import (
	"testing"

	"pgregory.net/rapid"

	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/calendar"
	"punchcard/platform/decimal"
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
