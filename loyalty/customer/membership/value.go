package membership

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// LevelBasis holds the points that a customer's level depends on, besides their purchases.
type LevelBasis struct {
	Account points.Account
	// Earned is the sum of points earned since the last recalculation.
	Earned points.Amount
}

// ReadLevelBasis returns the basis of a customer's level. It reads only what the settings of the store require.
func ReadLevelBasis(tx *db.Tx, s *store.Store, c *customer.Customer, account points.Account) (LevelBasis, error) {
	basis := LevelBasis{Account: account}
	if !level.DropsAfterDays(&s.Settings) {
		return basis, nil
	}
	// Before the first recalculation all points count, even those for the registration.
	histories, err := customer.MergedInto(tx, s.Key, c.ID)
	if err != nil {
		return basis, err
	}
	basis.Earned, err = points.EarnedSince(tx, s.Key, append(histories, c.ID), c.LevelRecalculatedAt)
	return basis, err
}

// measuredSince returns when the level was last recalculated, or the time of registration.
func measuredSince(c *customer.Customer) time.Time {
	if c.LevelRecalculatedAt.IsZero() {
		return c.CreatedAt
	}
	return c.LevelRecalculatedAt
}

// Value returns the points or the money that level conditions are compared with.
func (m *LevelBasis) Value(s *store.Store, p customer.Purchases) decimal.Money {
	settings := &s.Settings
	switch {
	case settings.TierAssignType != store.TierPoints && settings.ExcludeDeliveryCosts:
		return max(0, p.AmountWithoutDelivery-(p.ExcludedForLevel-p.ExcludedDelivery))
	case settings.TierAssignType != store.TierPoints:
		return max(0, p.Amount-p.ExcludedForLevel)
	case settings.LevelDowngradeMode != store.DowngradeAfterDays:
		return max(0, m.Account.Earned-m.Account.Locked-p.PointsTakenBack).Money()
	case settings.LevelDowngradeBase == store.BaseActivePoints:
		return m.Account.Points.Money()
	}
	return m.Earned.Money()
}

// earnedLevel returns the level that the value earns. It is never lower than the present one unless canDrop,
// and never lower than a level set by hand. It returns nil if the value earns no level.
func earnedLevel(levels []level.Level, c *customer.Customer, value decimal.Money, canDrop bool) *level.Level {
	d := decide(levels, c, value, canDrop)
	if d.candidate == nil {
		return nil
	}
	return d.level()
}

// decision is the level that a check leaves a customer in, with the reason.
type decision struct {
	candidate *level.Level // that the value earns; nil for none
	present   *level.Level // nil for none
	reason    string       // why the present level stays though it is not the candidate; empty if it does not
}

// The reasons of decision.reason.
const (
	nothingReached = "nothingReached"
	sameCondition  = "sameCondition"
	setByHand      = "setByHand"
	noDowngrade    = "noDowngrade"
)

func (d *decision) level() *level.Level {
	if d.reason != "" {
		return d.present
	}
	return d.candidate
}

// decide decides by the rules of docs/behaviour/levels.md#moves.
func decide(levels []level.Level, c *customer.Customer, value decimal.Money, canDrop bool) decision {
	d := decision{candidate: level.Candidate(levels, value), present: level.Find(levels, c.LevelID)}
	switch {
	case d.present == nil || d.candidate == d.present:
	case d.candidate == nil:
		d.reason = nothingReached
	case d.candidate.ConditionValue == d.present.ConditionValue:
		d.reason = sameCondition
	case d.candidate.ConditionValue > d.present.ConditionValue:
	case c.ManualLevelID != "":
		d.reason = setByHand
	case !canDrop:
		d.reason = noDowngrade
	}
	return d
}

// Standing is where a customer is among the levels of the store.
type Standing struct {
	Level   *level.Level  // nil for none
	Next    *level.Level  // nil for the highest
	Missing decimal.Money // points or money to Next
}

// After returns where a customer would be after a sale, which adds to the sums of purchases and leaves the account as
// given. granted are the points that it earns.
func After(tx *db.Tx, s *store.Store, levels []level.Level, c *customer.Customer, account points.Account,
	sale customer.Purchases, granted points.Amount) (Standing, error) {
	basis, err := ReadLevelBasis(tx, s, c, account)
	if err != nil {
		return Standing{}, err
	}
	if !s.Settings.LocksPoints() {
		basis.Earned += granted
	}
	value := basis.Value(s, c.Purchases.Plus(sale))
	standing := Standing{Level: earnedLevel(levels, c, value, level.CanDrop(&s.Settings))}
	if standing.Level == nil {
		standing.Level = level.Find(levels, c.LevelID)
	}
	if standing.Next = level.Next(levels, standing.Level, value); standing.Next != nil {
		standing.Missing = standing.Next.ConditionValue - value
	}
	return standing, nil
}

// dueSince returns the latest last recalculation that makes a customer due now.
func dueSince(s *store.Store, now time.Time) time.Time {
	return calendar.AddDate(now, 0, 0, -s.Settings.LevelDowngradeDays, s.Zone)
}

// isDue reports whether the level of a customer is recalculated now or was not yet.
func isDue(s *store.Store, c *customer.Customer, now time.Time) bool {
	return level.DropsAfterDays(&s.Settings) && s.Settings.LevelDowngradeDays > 0 && c.IsActive() &&
		!measuredSince(c).After(dueSince(s, now))
}

// ExpiresInDays returns the number of days from today, in the store's time zone, until the level is
// recalculated.
func ExpiresInDays(s *store.Store, c *customer.Customer, now time.Time) int {
	due := calendar.DayOf(measuredSince(c), s.Zone) + calendar.Day(s.Settings.LevelDowngradeDays)
	return max(0, int(due-calendar.DayOf(now, s.Zone)))
}
