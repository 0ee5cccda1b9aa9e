package level

import "punchcard/platform/check"

// Levels are the rows that other features refer to, deleted ones included.
var Levels = check.Table{Name: "levels", ID: "level_id"}

// CustomersTotals are the stored customer counts of levels.
const CustomersTotals check.Totals = `SELECT store_id, level_id AS id, customers AS total FROM levels
	UNION ALL SELECT store_id, level_id, customers FROM level_counts`

// Rules returns the invariants of levels.
func Rules() []check.Rule {
	return []check.Rule{
		check.JSON[[]SpecialReward]("level.special_rewards", Levels, "special_rewards"),
		check.JSON[[]Translation]("level.translations", Levels, "translations"),
		photos.Kind.Rule("level.photo", Levels),
	}
}
