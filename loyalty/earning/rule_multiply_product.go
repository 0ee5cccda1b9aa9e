package earning

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// multiplyProductRule multiplies the points of products by SKU or label, or of all products.
var multiplyProductRule = RuleType{
	Name: MultiplyProduct,
	Step: 2,
	Read: func(f *Form) {
		d := &f.Rule.Definition
		d.AllProducts = f.Submitted("allProducts") && f.Checkbox("allProducts")
		d.SKUs = f.KeyTexts("skuIds", form.MaxLength(nameLimit))
		d.Labels = f.labels("labels")
		if d.AllProducts {
			d.SKUs, d.Labels = nil, nil
		} else if len(d.SKUs)+len(d.Labels) == 0 && !f.Failed("skuIds") && !f.Failed("labels") {
			f.AddError("skuIds", form.NoItems)
			f.AddError("labels", form.NoItems)
		}
		d.Multiplier = rate(f.Group, "multiplier", factorLimit, form.GreaterThan(0))
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		d := &r.Definition
		to.AllProducts, to.SKUs, to.Labels, to.Multiplier = d.AllProducts, some(d.SKUs), some(d.Labels), &d.Multiplier
	},
	Conditions: []Condition{matchingLine(isMultiplied), earnedBefore(isMultiplied)},
	Apply: func(e *Evaluation, r *Rule) {
		e.Multiply(r.Definition.Multiplier, func(line *transaction.Item) bool { return isMultiplied(r, line) })
	},
}

func isMultiplied(r *Rule, line *transaction.Item) bool {
	d := &r.Definition
	return d.AllProducts || slices.Contains(d.SKUs, line.SKU.Code) || carries(line, d.Labels)
}
