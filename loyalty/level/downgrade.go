package level

import "punchcard/core/store"

// CanDrop reports whether a lower value costs the level at once.
func CanDrop(s *store.Settings) bool {
	return s.TierAssignType != store.TierPoints || s.LevelDowngradeMode == store.DowngradeAtOnce
}

// DropsAfterDays reports whether levels are recalculated after a fixed number of days.
func DropsAfterDays(s *store.Settings) bool {
	return s.TierAssignType == store.TierPoints && s.LevelDowngradeMode == store.DowngradeAfterDays
}

// CountsSinceChange reports whether every change of level restarts the count of earned points.
func CountsSinceChange(s *store.Settings) bool {
	return DropsAfterDays(s) && s.LevelDowngradeBase == store.BaseEarnedSinceChange
}
