package trade_test

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
)

// tuesdayRule doubles the points of sales on Tuesdays.
var tuesdayRule = earning.RuleType{
	Name: "double_points_on_tuesdays",
	Read: func(*earning.Form) {},
	View: func(*earning.Rule, *store.Store, *earning.TypeView) {},
	Step: 2,
	Conditions: []earning.Condition{{
		Name: "day", Skips: true,
		Check: func(e *earning.Evaluation, _ *earning.Rule) bool {
			return e.Sale.PurchasedAt.In(e.Zone).Weekday() == time.Tuesday
		},
		Describe: func(_ *earning.Evaluation, _ *earning.Rule, f *api.Finding) { f.Hint = "It counts on Tuesdays." },
	}},
	Apply: func(e *earning.Evaluation, _ *earning.Rule) {
		e.Multiply(decimal.Whole(2).Rate(), func(*transaction.Item) bool { return true })
	},
}
