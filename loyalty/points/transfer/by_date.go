package transfer

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/form"
	"punchcard/platform/web"
)

const (
	// DatesLimit is how many days the points by date go back or ahead at most.
	DatesLimit = 732
	// AheadAccountsLimit is how many accounts are examined for points that expire later.
	AheadAccountsLimit = 10_000

	defaultLastDays = 30
)

// movedPoints maps the point types of requests to the sums by day.
var movedPoints = map[string]rollup.Kind{
	"earned": rollup.PointsIssued, "spent": rollup.PointsSpent, "expired": rollup.PointsExpired,
	"pending": rollup.PointsPending,
}

// intervals maps the intervals of requests to the formats of their dates.
var intervals = map[string]string{"day": time.DateOnly, "month": "2006-01", "year": "2006"}

// dates is a query for points by date.
type dates struct {
	kind                 rollup.Kind
	format               string
	lastDays, futureDays int
}

func readDates(q *form.Group) dates {
	bounds := form.LessThan(DatesLimit + 1)
	return dates{
		format:   intervals[cmp.Or(q.Choice("interval", slices.Sorted(maps.Keys(intervals))), "day")],
		kind:     movedPoints[cmp.Or(q.Choice("pointType", slices.Sorted(maps.Keys(movedPoints))), "earned")],
		lastDays: cmp.Or(int(q.Integer("lastDays", form.AtLeast(1), bounds)), defaultLastDays),
		// Points that expire or unlock later are known today.
		futureDays: int(q.Integer("futureDays", form.AtLeast(0), bounds)),
	}
}

var inDates = api.Query(readDates)

// byDate sums up the points that were moved on each date: docs/behaviour/points.md#points-by-date.
func byDate(r *api.Reading, in dates) (map[string]points.Amount, error) {
	today := calendar.DayOf(r.Now(), r.Store.Zone)
	first, last := today-calendar.Day(in.lastDays)+1, today+calendar.Day(in.futureDays)
	sums := map[string]points.Amount{}
	add := func(day calendar.Day, n points.Amount) { sums[day.Format(in.format)] += n }
	for day := first; day <= last; day++ {
		add(day, 0)
	}
	days, err := rollup.Days(r.Tx, r.Store.Key, first, last)
	for day, of := range days {
		add(day, points.Amount(of[in.kind]))
	}
	if err != nil || in.kind != rollup.PointsExpired || in.futureDays == 0 {
		return sums, err
	}
	ahead, complete, err := points.EndingByDay(r.Tx, r.Store, (last + 1).Start(r.Store.Zone), AheadAccountsLimit,
		customer.Present("a"))
	for day, n := range ahead {
		add(day, n)
	}
	if err == nil && !complete {
		r.ResponseHeader().Set(web.LimitSetting, "pointsAheadAccounts")
	}
	return sums, err
}
