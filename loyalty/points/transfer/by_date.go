package transfer

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
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

// byDate serves the points that were moved on each date: docs/behaviour/points.md#points-by-date.
func byDate(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	q := form.Read(query)
	dates := readDates(q)
	if err := q.Err(); err != nil {
		return err
	}
	today := calendar.DayOf(c.Now(), c.Store.Zone)
	first, last := today-calendar.Day(dates.lastDays)+1, today+calendar.Day(dates.futureDays)
	response := map[string]points.Amount{}
	add := func(day calendar.Day, n points.Amount) { response[day.Format(dates.format)] += n }
	for day := first; day <= last; day++ {
		add(day, 0)
	}
	complete := true
	err = c.Read(func(tx *db.Tx) error {
		days, err := rollup.Days(tx, c.Store.Key, first, last)
		for day, sums := range days {
			add(day, points.Amount(sums[dates.kind]))
		}
		if err != nil || dates.kind != rollup.PointsExpired || dates.futureDays == 0 {
			return err
		}
		var ahead map[calendar.Day]points.Amount
		ahead, complete, err = points.EndingByDay(tx, c.Store, (last + 1).Start(c.Store.Zone), AheadAccountsLimit,
			customer.Present("a"))
		for day, n := range ahead {
			add(day, n)
		}
		return err
	})
	if err != nil {
		return err
	}
	if !complete {
		c.ResponseHeader().Set(web.LimitSetting, "pointsAheadAccounts")
	}
	return c.OK(response)
}
