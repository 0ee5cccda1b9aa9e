package campaign

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// campaignYear is the period of a year that begins on the day on which the campaign can first be bought, or on which
// it was created.
const campaignYear = "campaignYear"

// limitPeriods are the periods in which the limits of one customer and of all customers can count.
var limitPeriods = append([]string{campaignYear}, calendar.Periods...)

// LimitSpan returns the period in which the limit per customer counts purchases at a time: from since, and before
// again. Both are zero if it counts all purchases.
func (c *Campaign) LimitSpan(now time.Time, zone *time.Location) (since, again time.Time) {
	first, next, ok := c.days(c.LimitPeriod, now, zone)
	if !ok {
		return time.Time{}, time.Time{}
	}
	return first.Start(zone), next.Start(zone)
}

// days returns the first day of the present period of a limit, and the day after the last one.
func (c *Campaign) days(period string, now time.Time, zone *time.Location) (first, next calendar.Day, ok bool) {
	day := calendar.DayOf(now, zone)
	if period != campaignYear {
		return calendar.PeriodOf(period, day)
	}
	begin := c.CreatedAt
	if !c.Activity.AllTime {
		begin = c.Activity.From
	}
	_, month, on := calendar.DayOf(begin, zone).Date()
	year, _, _ := day.Date()
	if day < calendar.Date(year, month, on) {
		year--
	}
	return calendar.Date(year, month, on), calendar.Date(year+1, month, on), true
}

// countPeriods sets Counters.Recent of the campaigns whose limit of all customers counts in a period. It costs nothing
// for the others. If the counters are locked, no purchase is missing.
func countPeriods(tx *db.Tx, s *store.Store, campaigns map[string]*Campaign, counters map[string]Counters) error {
	var rows [][]any
	for id, k := range counters {
		c := campaigns[id]
		if c == nil || c.TotalPeriod == "" || c.Unlimited {
			continue
		}
		first, next, ok := c.days(c.TotalPeriod, tx.Now(), s.Zone)
		if !ok {
			continue
		}
		if k.Recent = 0; first <= k.LastDay.Day && k.LastDay.Day < next {
			k.Recent = k.LastDay.Sold
		}
		counters[id] = k
		rows = append(rows, []any{id, int64(first), int64(next)})
	}
	if len(rows) == 0 {
		return nil
	}
	type row struct {
		id     string
		bought int64
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.id, &r.bought} }, func(r row) {
		k := counters[r.id]
		k.Recent += r.bought
		counters[r.id] = k
	}, `SELECT d.campaign_id, CAST(SUM(d.bought) AS BIGINT) FROM ? AS v (store, campaign, since, until)
		CROSS JOIN campaign_days d
		WHERE d.store_id = v.store AND d.campaign_id = v.campaign AND d.day >= v.since AND d.day < v.until
		GROUP BY d.campaign_id`, tx.AmongRows(s.Key, []string{"TEXT", "BIGINT", "BIGINT"}, rows...))
}

// sold returns how many coupons count for the limit of all customers, those that reservations keep included.
func (c *Campaign) sold(k Counters) int64 {
	return k.counted(c.TotalPeriod)
}

// counted returns how many coupons count for a limit of all customers in a period; an empty one means always.
func (k *Counters) counted(period string) int64 {
	if period != "" {
		return k.Recent + k.Held
	}
	return k.Sold + k.Held
}
