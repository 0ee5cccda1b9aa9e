package campaign

import (
	"time"

	"punchcard/platform/calendar"
)

// campaignYear is the period of a year that begins on the day on which the campaign can first be bought, or on which
// it was created.
const campaignYear = "campaignYear"

// limitPeriods are the periods in which a limit per customer can count.
var limitPeriods = append([]string{campaignYear}, calendar.Periods...)

// LimitSpan returns the period in which the limit per customer counts purchases at a time: from since, and before
// again. Both are zero if it counts all purchases.
func (c *Campaign) LimitSpan(now time.Time, zone *time.Location) (since, again time.Time) {
	day := calendar.DayOf(now, zone)
	if c.LimitPeriod == campaignYear {
		begin := c.CreatedAt
		if !c.Activity.AllTime {
			begin = c.Activity.From
		}
		_, month, on := calendar.DayOf(begin, zone).Date()
		year, _, _ := day.Date()
		if day < calendar.Date(year, month, on) {
			year--
		}
		return calendar.Date(year, month, on).Start(zone), calendar.Date(year+1, month, on).Start(zone)
	}
	first, next, ok := calendar.PeriodOf(c.LimitPeriod, day)
	if !ok {
		return time.Time{}, time.Time{}
	}
	return first.Start(zone), next.Start(zone)
}
