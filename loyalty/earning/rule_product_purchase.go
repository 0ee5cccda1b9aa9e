package earning

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
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
	Conditions: []Condition{matchingLine(buysProduct)},
	Apply: func(e *Evaluation, r *Rule) {
		for i := range e.Sale.Items {
			if line := &e.Sale.Items[i]; buysProduct(r, line) {
				e.Add(line, r.Definition.Points)
			}
		}
	},
}

func buysProduct(r *Rule, line *transaction.Item) bool {
	return !line.IsDiscount() && slices.Contains(r.Definition.SKUs, line.SKU.Code)
}
