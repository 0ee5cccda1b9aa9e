package analytics

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// recentCounts are the numbers of the last n times 24 hours.
type recentCounts struct {
	Day   int64 `json:"in_1_days"`
	Week  int64 `json:"in_7_days"`
	Month int64 `json:"in_30_days"`
	Year  int64 `json:"in_365_days"`
}

// recently counts a kind in the last days. Whole days are in the sums; count reads the rows of a part of a day.
func recently(tx *db.Tx, s *store.Store, kind rollup.Kind,
	count func(from, before time.Time) (int64, error)) (recent recentCounts, err error) {
	now := tx.Now()
	last := calendar.DayOf(now, s.Zone)
	days, err := rollup.Days(tx, s.Key, last-366, last)
	if err != nil {
		return recent, err
	}
	future, err := count(now.Add(time.Microsecond), (last + 1).Start(s.Zone))
	for n, to := range map[time.Duration]*int64{1: &recent.Day, 7: &recent.Week, 30: &recent.Month, 365: &recent.Year} {
		if err != nil {
			return recent, err
		}
		from := now.Add(-n * 24 * time.Hour)
		first := calendar.DayOf(from, s.Zone)
		*to, err = count(from, (first + 1).Start(s.Zone))
		for day := first + 1; day <= last; day++ {
			sums := days[day]
			*to += sums[kind]
		}
		*to -= future
	}
	return recent, err
}

type customersView struct {
	Total     int64        `json:"total"`
	Intervals recentCounts `json:"intervals"`
}

func customerTotals(r *api.Reading) (v customersView, err error) {
	total, err := rollup.Total(r.Tx, r.Store.Key, lastDay)
	if err != nil {
		return v, err
	}
	v.Total = total[rollup.Customers]
	v.Intervals, err = recently(r.Tx, r.Store, rollup.Customers, func(from, before time.Time) (int64, error) {
		return customer.CountCreated(r.Tx, r.Store.Key, from, before)
	})
	return v, err
}

type pointsView struct {
	Transfers int64         `json:"totalSpendingTransfers"`
	Spent     points.Amount `json:"totalPointsSpent"`
	Active    points.Amount `json:"activePoints"` // available and blocked ones
	Issued    points.Amount `json:"issuedPoints"`
	Burned    points.Amount `json:"burnedPoints"`
	Expired   points.Amount `json:"expiredPoints"`
	Pending   points.Amount `json:"pendingPoints"`
}

func pointTotals(r *api.Reading) (pointsView, error) {
	sums, err := rollup.Total(r.Tx, r.Store.Key, lastDay)
	amount := func(kind rollup.Kind) points.Amount { return points.Amount(sums[kind]) }
	return pointsView{
		Transfers: sums[rollup.Spends], Spent: amount(rollup.PointsSpent),
		Active: points.Amount(outstanding(&sums)) - amount(rollup.PointsPending), Issued: amount(rollup.PointsIssued),
		Burned: amount(rollup.PointsSpent), Expired: amount(rollup.PointsExpired), Pending: amount(rollup.PointsPending),
	}, err
}

type referralsView struct {
	Total      int64 `json:"total"`
	Completed  int64 `json:"totalCompleted"`
	Registered int64 `json:"totalRegistered"`
}

func referralTotals(r *api.Reading) (v referralsView, err error) {
	for _, of := range []struct {
		to       *int64
		statuses []string
	}{
		{&v.Total, invitation.Statuses}, {&v.Completed, []string{invitation.MadePurchase}},
		{&v.Registered, []string{invitation.Registered}},
	} {
		if *of.to, err = invitation.Total(r.Tx, r.Store.Key, of.statuses...); err != nil {
			return v, err
		}
	}
	return v, nil
}

type salesView struct {
	Total           int64         `json:"total"`
	Counts          recentCounts  `json:"countIntervals"`
	Amount          decimal.Money `json:"amount"`
	WithoutDelivery decimal.Money `json:"amountWithoutDeliveryCosts"`
	Currency        string        `json:"currency"`
}

var inMatched = api.InCall(func(q *form.Group) { onlyMatched(q) }, func(c *api.Call) (bool, error) {
	query, err := c.Query()
	return onlyMatched(form.Read(query)), err
})

func onlyMatched(q *form.Group) bool { return q.Checkbox("excludeCustomersWithoutTransaction") }

func saleTotals(r *api.Reading, matched bool) (salesView, error) {
	count, amount, net := rollup.Receipts, rollup.Sales, rollup.SalesWithoutDelivery
	if matched {
		count, amount, net = rollup.MatchedReceipts, rollup.MatchedSales, rollup.MatchedWithoutDelivery
	}
	total, err := rollup.Total(r.Tx, r.Store.Key, lastDay)
	if err != nil {
		return salesView{}, err
	}
	v := salesView{
		Total: total[count], Amount: decimal.Money(total[amount]), WithoutDelivery: decimal.Money(total[net]),
		Currency: r.Store.Currency,
	}
	v.Counts, err = recently(r.Tx, r.Store, count, func(from, before time.Time) (int64, error) {
		return transaction.CountPurchased(r.Tx, r.Store.Key, from, before, matched)
	})
	return v, err
}

type levelsView struct {
	Total  int         `json:"total"`
	Levels []levelView `json:"levels"`
}

type levelView struct {
	ID        string `json:"levelId"`
	Name      string `json:"name"`
	Condition string `json:"conditionValue"`
	Store     string `json:"store"` // always empty, for clients that read it
	Customers int64  `json:"customers"`
}

func levelTotals(r *api.Reading, locale api.Locale) (levelsView, error) {
	levels, err := level.Counted(r.Tx, r.Store.Key)
	digits := 2
	if r.Store.Settings.TierAssignType != store.TierPoints {
		digits = r.Store.MoneyDigits()
	}
	v := levelsView{Total: len(levels), Levels: []levelView{}}
	for i := range levels {
		l := &levels[i]
		v.Levels = append(v.Levels, levelView{
			ID: l.ID, Name: l.Name(locale), Condition: l.ConditionValue.Fixed(digits), Customers: l.Customers,
		})
	}
	return v, err
}
