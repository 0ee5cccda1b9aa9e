package customer

import (
	"time"

	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// levelMeasure is what a customer's level depends on, besides their purchases.
type levelMeasure struct {
	account points.Account
	// earned is the sum of points earned since the last recalculation.
	earned points.Amount
}

// measureLevel reads only what the store's settings require.
func measureLevel(tx *db.Tx, s *store.Store, c *Customer, account points.Account) (levelMeasure, error) {
	measure := levelMeasure{account: account}
	if !dropsAfterDays(&s.Settings) {
		return measure, nil
	}
	var err error // before the first recalculation all points count, even those for the registration
	measure.earned, err = points.EarnedSince(tx, s.Key, c.ID, c.LevelRecalculatedAt)
	return measure, err
}

// measuredSince returns when the level was last recalculated, or the time of registration.
func (c *Customer) measuredSince() time.Time {
	if c.LevelRecalculatedAt.IsZero() {
		return c.CreatedAt
	}
	return c.LevelRecalculatedAt
}

// value returns the points or the money that level conditions are compared with.
func (m *levelMeasure) value(s *store.Store, p Purchases) decimal.Hundredths {
	settings := &s.Settings
	switch {
	case settings.TierAssignType != store.TierPoints && settings.ExcludeDeliveryCosts:
		return max(0, p.AmountWithoutDelivery-(p.ExcludedForLevel-p.ExcludedDelivery))
	case settings.TierAssignType != store.TierPoints:
		return max(0, p.Amount-p.ExcludedForLevel)
	case settings.LevelDowngradeMode != store.DowngradeAfterDays:
		return max(0, m.account.Earned-m.account.Locked-p.PointsTakenBack)
	case settings.LevelDowngradeBase == store.BaseActivePoints:
		return m.account.Points
	}
	return m.earned
}

// canDrop reports whether a lower value costs the level at once.
func canDrop(s *store.Settings) bool {
	return s.TierAssignType != store.TierPoints || s.LevelDowngradeMode == store.DowngradeAtOnce
}

// dropsAfterDays reports whether levels are recalculated after a fixed number of days.
func dropsAfterDays(s *store.Settings) bool {
	return s.TierAssignType == store.TierPoints && s.LevelDowngradeMode == store.DowngradeAfterDays
}

// countsSinceChange reports whether every change of level restarts the count of earned points.
func countsSinceChange(s *store.Settings) bool {
	return dropsAfterDays(s) && s.LevelDowngradeBase == store.BaseEarnedSinceChange
}

// earnedLevel returns the level that the value earns. It is never lower than the present one unless canDrop,
// and never lower than a level set by hand. It returns nil if the value earns no level.
func earnedLevel(levels []level.Level, c *Customer, value decimal.Hundredths, canDrop bool) *level.Level {
	candidate, present := level.Candidate(levels, value), level.Find(levels, c.LevelID)
	if candidate == nil || present == nil {
		return candidate
	}
	if candidate.ConditionValue == present.ConditionValue {
		return present // same rank
	}
	if candidate.ConditionValue < present.ConditionValue && (c.ManualLevelID != "" || !canDrop) {
		return present
	}
	return candidate
}

// dueSince returns the latest last recalculation that makes a customer due now.
func dueSince(s *store.Store, now time.Time) time.Time {
	return now.In(s.Zone).AddDate(0, 0, -s.Settings.LevelDowngradeDays)
}

// expiresInDays returns the number of days from today, in the store's time zone, until the level is
// recalculated.
func expiresInDays(s *store.Store, c *Customer, now time.Time) int {
	date := func(t time.Time) time.Time {
		year, month, day := t.In(s.Zone).Date()
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	due := date(c.measuredSince()).AddDate(0, 0, s.Settings.LevelDowngradeDays)
	return max(0, int(due.Sub(date(now))/(24*time.Hour)))
}
