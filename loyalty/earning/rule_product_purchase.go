package earning

import (
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/form"
)

// productPurchaseRule pays for every item of certain products, whatever its quantity.
var productPurchaseRule = RuleType{
	Name: ProductPurchase,
	Step: 3,
	Read: func(f *Form) {
		f.Rule.Definition.SKUs = f.KeyTexts("skuIds", form.MinItems(1), form.MaxLength(nameLimit))
		f.PointsAmount(form.GreaterThan(0))
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		to.SKUs, to.PointsAmount = some(r.Definition.SKUs), &r.Definition.Points
	},
	Apply: func(e *Evaluation, r *Rule) bool {
		for i := range e.Sale.Items {
			if line := &e.Sale.Items[i]; !line.IsDiscount() && slices.Contains(r.Definition.SKUs, line.SKU.Code) {
				e.Add(line, r.Definition.Points)
			}
		}
		return true
	},
}
