package customer

import (
	"time"

	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// standing is what a customer's level is measured by (program-api 4.11).
type levelMeasure struct {
	account points.Account
	// earned is what he earned since his level was last recalculated.
	earned points.Amount
}

// measureLevel reads what the store's settings measure, and nothing else.
func measureLevel(tx *db.Tx, s *store.Store, c *Customer, account points.Account) (levelMeasure, error) {
	measure := levelMeasure{account: account}
	if !dropsAfterDays(&s.Settings) {
		return measure, nil
	}
	var err error // before the first time everything counts, also what he got for his registration
	measure.earned, err = points.EarnedSince(tx, s.Key, c.ID, c.LevelRecalculatedAt)
	return measure, err
}

// measuredSince is when the level was last recalculated; before the first time, the registration.
func (c *Customer) measuredSince() time.Time {
	if c.LevelRecalculatedAt.IsZero() {
		return c.CreatedAt
	}
	return c.LevelRecalculatedAt
}

// value is what the store's levels are compared with.
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

// canDrop tells whether a lower value costs a level at once.
func canDrop(s *store.Settings) bool {
	return s.TierAssignType != store.TierPoints || s.LevelDowngradeMode == store.DowngradeAtOnce
}

// dropsAfterDays tells whether levels are recalculated some days after the last time.
func dropsAfterDays(s *store.Settings) bool {
	return s.TierAssignType == store.TierPoints && s.LevelDowngradeMode == store.DowngradeAfterDays
}

// countsSinceChange tells whether every move begins a new count of earned points.
func countsSinceChange(s *store.Settings) bool {
	return dropsAfterDays(s) && s.LevelDowngradeBase == store.BaseEarnedSinceChange
}

// deserved is the level that the value earns, but none below the present one unless he may fall, and
// never one below a level set by hand. Nil when the value earns none.
func earnedLevel(levels []level.Level, c *Customer, value decimal.Hundredths, canDrop bool) *level.Level {
	candidate, present := level.Candidate(levels, value), level.Find(levels, c.LevelID)
	if candidate == nil || present == nil {
		return candidate
	}
	if candidate.ConditionValue == present.ConditionValue {
		return present // neither higher nor lower
	}
	if candidate.ConditionValue < present.ConditionValue && (c.ManualLevelID != "" || !canDrop) {
		return present
	}
	return candidate
}

// dueSince is the moment of the last check of those whose level is recalculated now, or earlier.
func dueSince(s *store.Store, now time.Time) time.Time {
	return now.In(s.Zone).AddDate(0, 0, -s.Settings.LevelDowngradeDays)
}

// expiresInDays is how many days are left until the level is recalculated, from today in the store's
// time zone.
func expiresInDays(s *store.Store, c *Customer, now time.Time) int {
	date := func(t time.Time) time.Time {
		year, month, day := t.In(s.Zone).Date()
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	due := date(c.measuredSince()).AddDate(0, 0, s.Settings.LevelDowngradeDays)
	return max(0, int(due.Sub(date(now))/(24*time.Hour)))
}
