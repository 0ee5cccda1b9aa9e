// Package analytics shows the totals of a store: docs/behaviour/analytics.md. They come from the sums by day of
// package rollup, so that they cost the same however many rows a store has.
package analytics

import (
	"math"

	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// lastDay is after every day.
const lastDay = calendar.Day(math.MaxInt32)

// The units of metrics.
const (
	customers = "customers"
	pointsOf  = "points"
	coupons   = "coupons"
	receipts  = "receipts"
	money     = "money" // in the currency of the store
)

// metric is a figure that has a value for every day. To add one, add a row to the table.
type metric struct {
	name string
	unit string
	// sum returns the value of a day. It is nil if the customers of several days are counted once.
	sum func(s *rollup.Sums) int64
	// distinct counts the customers of periods, each of them once in a period.
	distinct func(tx *db.Tx, storeKey int64, periods []period) ([]int64, error)
	// whole means that a sum counts, instead of being points or money.
	whole bool
	// total means that the value is the sum of all days so far, instead of those of a period.
	total bool
}

var metrics = []metric{
	{name: "activeMembers", unit: customers, whole: true, distinct: activeIn(rollup.ActiveIn)},
	{name: "returningMembers", unit: customers, whole: true, distinct: activeIn(rollup.ReturningIn)},
	{name: "newMembers", unit: customers, whole: true, sum: sumOfKind(rollup.Customers)},
	{name: "pointsIssued", unit: pointsOf, sum: sumOfKind(rollup.PointsIssued)},
	{name: "pointsSpent", unit: pointsOf, sum: sumOfKind(rollup.PointsSpent)},
	{name: "pointsExpired", unit: pointsOf, sum: sumOfKind(rollup.PointsExpired)},
	{name: "pointsOutstanding", unit: pointsOf, sum: outstanding, total: true},
	{name: "couponsBought", unit: coupons, whole: true, sum: sumOfKind(rollup.CouponsBought)},
	{name: "couponsUsed", unit: coupons, whole: true, sum: sumOfKind(rollup.CouponsUsed)},
	{name: "sales", unit: money, sum: sumOfKind(rollup.Sales)},
	{name: "receipts", unit: receipts, whole: true, sum: sumOfKind(rollup.Receipts)},
	{name: "memberSales", unit: money, sum: sumOfKind(rollup.MatchedSales)},
	{name: "memberReceipts", unit: receipts, whole: true, sum: sumOfKind(rollup.MatchedReceipts)},
	{name: "anonymousSales", unit: money, sum: func(s *rollup.Sums) int64 {
		return s[rollup.Sales] - s[rollup.MatchedSales]
	}},
}

func sumOfKind(kind rollup.Kind) func(s *rollup.Sums) int64 {
	return func(s *rollup.Sums) int64 { return s[kind] }
}

// outstanding returns the points that customers hold, with those that are pending or blocked.
func outstanding(s *rollup.Sums) int64 {
	return s[rollup.PointsIssued] - s[rollup.PointsSpent] - s[rollup.PointsExpired]
}

// value returns a sum as responses show it.
func (m *metric) value(sum int64) decimal.Money {
	switch {
	case m.whole:
		return countMoney(sum)
	case m.unit == money:
		return decimal.Money(sum)
	}
	return decimal.Hundredths(sum).Money()
}

// countMoney returns a number of things as responses show numbers.
func countMoney(n int64) decimal.Money { return decimal.Whole(n).Money() }

func metricNames() []string {
	names := make([]string, len(metrics))
	for i := range metrics {
		names[i] = metrics[i].name
	}
	return names
}

func findMetric(name string) *metric {
	for i := range metrics {
		if metrics[i].name == name {
			return &metrics[i]
		}
	}
	return nil
}
