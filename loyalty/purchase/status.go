package purchase

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/platform/calendar"
)

// The statuses of a purchase. See docs/behaviour/purchase.md#activation-and-expiry.
const (
	Inactive  = "inactive"
	Active    = "active"
	Expired   = "expired"
	Cancelled = "cancelled"
)

// StatusAt returns the status at a time. Coupons become active and expire exactly on time, whether or not the job
// has stored it. A coupon that a reservation keeps expires when that ends.
func (o *Owned) StatusAt(now time.Time) string {
	status := o.Status
	if status == Inactive && !o.ActiveSince.After(now) {
		status = Active
	}
	if status == Active && !o.Used && !o.ActiveTo.IsZero() && o.ActiveTo.Before(now) && !o.IsHeld(now) {
		status = Expired
	}
	return status
}

// CanBeUsed reports whether the coupon can be marked as used at a time.
func (o *Owned) CanBeUsed(now time.Time) bool {
	return o.StatusAt(now) == Active && !o.Used && !o.IsHeld(now)
}

// dates sets when the coupon can be used. Days are calendar days of the store's time zone, at the same time of day
// unless the store lets coupons end with the day.
func (p *Purchase) dates(c *campaign.Campaign, s *store.Store, now time.Time) {
	p.Status = Active
	if c.DaysInactive > 0 {
		p.Status = Inactive
		p.ActiveSince = calendar.AddDate(now, 0, 0, int(c.DaysInactive), s.Zone).UTC()
	}
	if c.DaysValid > 0 {
		p.ActiveTo = calendar.AddDate(now, 0, 0, int(c.DaysInactive+c.DaysValid), s.Zone).UTC()
		if s.Settings.CouponsEndWithDay {
			p.ActiveTo = calendar.DayOf(p.ActiveTo, s.Zone).LastSecond(s.Zone).UTC()
		}
	}
}

// statusAt is StatusAt in SQL. now is the placeholder of a time.
func statusAt(now string) string {
	return `CASE WHEN status IN ('` + Inactive + `', '` + Active + `') AND ` + hasEnded(now) + ` THEN '` + Expired + `'
		WHEN status = '` + Inactive + `' AND ` + hasBegun(now) + ` THEN '` + Active + `' ELSE status END`
}

// hasBegun is the condition in SQL that a coupon became active by a time.
func hasBegun(now string) string { return "active_since <= " + now }

// hasEnded is the condition in SQL that a coupon expired before a time, whether or not it became active.
func hasEnded(now string) string {
	return "used = FALSE AND active_to < " + now + " AND NOT " + isHeld(now)
}

// due returns the SQL condition and order of coupons whose status changes by a time, whose placeholder is now, earliest
// first. IS NOT NULL lets the planner use the partial indexes.
type due func(now string) string

func beginning(now string) string {
	return "status = '" + Inactive + "' AND active_since IS NOT NULL AND " + hasBegun(now) + " ORDER BY active_since"
}

func ending(now string) string {
	return "status = '" + Active + "' AND active_to IS NOT NULL AND " + hasEnded(now) + " ORDER BY active_to"
}
