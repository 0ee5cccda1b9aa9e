package app_test

import (
	"time"

	"punchcard/loyalty/earning"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
)

// tuesdayRule doubles the points of sales on Tuesdays.
var tuesdayRule = earning.RuleType{
	Name: "double_points_on_tuesdays",
	Read: func(*earning.Form) {},
	View: func(*earning.Rule, *store.Store, *earning.TypeView) {},
	Step: 2,
	Apply: func(e *earning.Evaluation, _ *earning.Rule) (counted bool) {
		if e.Sale.PurchasedAt.In(e.Zone).Weekday() != time.Tuesday {
			return false
		}
		e.Multiply(decimal.Whole(2).Rate(), func(*transaction.Item) bool { return true })
		return true
	},
}
