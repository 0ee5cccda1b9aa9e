package analytics

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// journalColumns are the columns of the journal: docs/behaviour/analytics.md#journal.
var journalColumns = api.Titled("Date", "Entry", "Debit", "Credit", "Points#", "Amount#", "Currency")

// The accounts of the journal.
const (
	owedAccount     = "Points owed"
	expenseAccount  = "Cost of points"
	redeemedAccount = "Points redeemed"
	expiredAccount  = "Points expired"
	openingAccount  = "Opening balance"
)

// posting is a line of the journal.
type posting struct {
	day                  calendar.Day
	entry, debit, credit string
	points               points.Amount
	amount               decimal.Money
}

// exportJournal serves the movements of the points owed as double entries, by day.
func exportJournal(c *api.Call, wanted period) (name string, rows [][]string, err error) {
	err = c.Read(func(tx *db.Tx) error {
		postings, err := journal(tx, c.Store, wanted)
		rows = make([][]string, len(postings))
		for i, p := range postings {
			amount := ""
			if len(c.Store.Settings.PointCosts) > 0 {
				amount = p.amount.String()
			}
			rows[i] = []string{p.day.String(), p.entry, p.debit, p.credit, p.points.String(), amount, c.Store.Currency}
		}
		return err
	})
	return "points_owed", rows, err
}

// journal returns the double entries of a period.
func journal(tx *db.Tx, s *store.Store, of period) ([]posting, error) {
	before, err := rollup.Total(tx, s.Key, of.from-1)
	if err != nil {
		return nil, err
	}
	days, err := rollup.Days(tx, s.Key, of.from, of.to)
	return postingsOf(s, of, points.Amount(outstanding(&before)), func(day calendar.Day) movement {
		sums := days[day]
		return movement{
			points.Amount(sums[rollup.PointsIssued]), points.Amount(sums[rollup.PointsSpent]),
			points.Amount(sums[rollup.PointsExpired]),
		}
	}), err
}

// movement is the points of a day that changed the balance.
type movement struct{ issued, redeemed, expired points.Amount }

// postingsOf returns the entries of a period, after one with the balance before it. Each amount is the difference of
// two rounded balances, so that all together are the balance at the end to the smallest unit.
func postingsOf(
	s *store.Store, of period, balance points.Amount, on func(day calendar.Day) movement,
) (all []posting) {
	cost := s.Settings.PointCostAt(of.from - 1)
	all = []posting{{of.from, "opening", openingAccount, owedAccount, balance, worth(s, balance, cost)}}
	post := func(day calendar.Day, entry, debit, credit string, moved points.Amount) {
		after := balance + moved
		if debit == owedAccount {
			after = balance - moved
		}
		amount := worth(s, after, cost) - worth(s, balance, cost)
		if debit == owedAccount {
			amount = -amount
		}
		if balance = after; moved != 0 {
			all = append(all, posting{day, entry, debit, credit, moved, amount})
		}
	}
	for day := of.from; day <= of.to; day++ {
		if next := s.Settings.PointCostAt(day); next != cost {
			if change := worth(s, balance, next) - worth(s, balance, cost); change != 0 {
				all = append(all, posting{day, "revaluation", expenseAccount, owedAccount, 0, change})
			}
			cost = next
		}
		m := on(day)
		post(day, "issued", expenseAccount, owedAccount, m.issued)
		post(day, "redeemed", owedAccount, redeemedAccount, m.redeemed)
		post(day, "expired", owedAccount, expiredAccount, m.expired)
	}
	return all
}
