package earning

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// multiplyLabelsRule multiplies the points of products by their labels, each with a factor of its own.
var multiplyLabelsRule = RuleType{
	Name: MultiplyLabels,
	Step: 2,
	Read: func(f *Form) {
		d := &f.Rule.Definition
		for _, entry := range f.Groups("labelMultipliers") {
			d.LabelMultipliers = append(d.LabelMultipliers, Factor{
				Label:      pair(entry),
				Multiplier: rate(entry, "multiplier", factorLimit, form.AtLeast(decimal.OneRate)),
			})
		}
		switch n := len(d.LabelMultipliers); {
		case n == 0 && !f.Failed("labelMultipliers"):
			f.AddError("labelMultipliers", form.NoItems)
		case n > factorsLimit: // bounds the number of digits of their product
			f.AddError("labelMultipliers", form.TooMany.With(factorsLimit))
		}
	},
	View:       func(r *Rule, _ *store.Store, to *TypeView) { to.LabelMultipliers = some(r.Definition.LabelMultipliers) },
	Conditions: []Condition{matchingLine(hasFactor), earnedBefore(hasFactor)},
	Apply: func(e *Evaluation, r *Rule) {
		for _, factor := range r.Definition.LabelMultipliers {
			e.Multiply(factor.Multiplier, func(line *transaction.Item) bool {
				return slices.Contains(line.Labels, factor.Label)
			})
		}
	},
}

func hasFactor(r *Rule, line *transaction.Item) bool {
	return slices.ContainsFunc(r.Definition.LabelMultipliers, func(f Factor) bool {
		return slices.Contains(line.Labels, f.Label)
	})
}
