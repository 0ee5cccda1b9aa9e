package level

import "punchcard/platform/check"

// Levels are the rows that other rooms refer to, deleted ones included.
var Levels = check.Table{Name: "levels", ID: "level_id"}

// CustomersFigures are how many customers each level has.
const CustomersFigures check.Figures = `SELECT store_id, level_id AS id, customers AS figure FROM levels`

// Rules are what always holds of levels.
func Rules() []check.Rule {
	return []check.Rule{
		check.JSON[[]SpecialReward]("level.special_rewards", Levels, "special_rewards"),
		check.JSON[[]Translation]("level.translations", Levels, "translations"),
	}
}
