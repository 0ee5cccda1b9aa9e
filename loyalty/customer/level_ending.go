package customer

import (
	"fmt"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// LevelEnding is a customer whose level is about to be recalculated.
type LevelEnding struct {
	CustomerID, LevelID string
	measured            time.Time
}

// LevelsEnding lists the active customers whose level is recalculated on one day, unless it was set by hand.
// It reads up to limit customers after a key, which is empty at first, and returns the next key, which is empty
// when there are no more.
func LevelsEnding(tx *db.Tx, s *store.Store, day calendar.Day, after string, limit int) (
	found []LevelEnding, last string, err error) {
	if !level.DropsAfterDays(&s.Settings) || s.Settings.LevelDowngradeDays <= 0 {
		return nil, "", nil
	}
	from := day - calendar.Day(s.Settings.LevelDowngradeDays)
	start, customerID := from.Start(s.Zone).UnixMicro(), ""
	if after != "" {
		if _, err := fmt.Sscanf(after, "%d %s", &start, &customerID); err != nil {
			return nil, "", err
		}
	}
	const measured = `COALESCE(level_recalculated_at, created_at)`
	type row struct {
		LevelEnding
		byHand string
	}
	rows, err := db.All(tx, func(r *row) []any {
		return []any{&r.CustomerID, &r.LevelID, &r.byHand, db.Time(&r.measured)}
	}, `SELECT customer_id, level_id, manual_level_id, `+measured+` FROM customers
		WHERE store_id = ? AND status = 'active' AND `+measured+` >= ? AND `+measured+` < ?
			AND (`+measured+` > ? OR customer_id > ?)
		ORDER BY `+measured+`, customer_id LIMIT ?`,
		s.Key, start, (from + 1).Start(s.Zone).UnixMicro(), start, customerID, limit)
	for _, r := range rows {
		if r.byHand == "" {
			found = append(found, r.LevelEnding)
		}
		last = fmt.Sprintf("%d %s", r.measured.UnixMicro(), r.CustomerID)
	}
	if len(rows) < limit {
		last = ""
	}
	return found, last, err
}
