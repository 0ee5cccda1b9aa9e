package trade_test

import (
	"punchcard/core/store"
	"punchcard/loyalty/earning"
	"punchcard/platform/form"
)

// receiptRule pays the same points for every receipt.
var receiptRule = earning.RuleType{
	Name:  "points_for_receipt",
	Read:  func(f *earning.Form) { f.PointsAmount(form.GreaterThan(0)) },
	View:  func(r *earning.Rule, _ *store.Store, to *earning.TypeView) { to.PointsAmount = &r.Definition.Points },
	Step:  1,
	Apply: func(e *earning.Evaluation, r *earning.Rule) { e.Add(&e.Sale.Items[0], r.Definition.Points) },
}
