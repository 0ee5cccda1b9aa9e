package earning

import (
	"math/big"
	"slices"

	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// spendingRule pays for the money that is spent: "general spending".
var spendingRule = RuleType{
	Name: Spending,
	Step: 1,
	Read: func(f *Form) {
		g := &f.Rule.Definition.General
		g.PointValue = rate(f.Group, "pointValue", amountLimit, form.GreaterThan(0))
		g.ExcludeDeliveryCost = f.Checkbox("excludeDeliveryCost")
		g.ExcludedSKUs = f.skus("excludedSKUs")
		modes := []string{AnyLabels, IncludeLabels, ExcludeLabels}
		g.LabelsInclusion = f.Choice("labelsInclusionType", modes)
		if !f.Submitted("labelsInclusionType") && f.Submitted("inclusionType") { // the older name
			g.LabelsInclusion = f.Choice("inclusionType", modes)
		}
		if g.LabelsInclusion == "" {
			g.LabelsInclusion = AnyLabels
		}
		g.IncludedLabels, g.ExcludedLabels = f.labels("includedLabels"), f.labels("excludedLabels")
		g.MinOrder = f.store.ReadMoney(f.Group, "minOrderValue", form.AtLeast(0), form.LessThan(amountLimit*10_000))
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		g := &r.Definition.General
		to.PointValue, to.ExcludeDeliveryCost, to.ExcludedSKUs = &g.PointValue, &g.ExcludeDeliveryCost, some(g.ExcludedSKUs)
		to.LabelsInclusionType, to.IncludedLabels = &g.LabelsInclusion, some(g.IncludedLabels)
		to.ExcludedLabels = some(g.ExcludedLabels)
		if g.MinOrder > 0 {
			to.MinOrderValue = &g.MinOrder
		}
	},
	Apply: func(e *Evaluation, r *Rule) bool {
		g := &r.Definition.General
		if g.isTooSmall(e.Sale) {
			return false
		}
		for i := range e.Sale.Items {
			line := &e.Sale.Items[i]
			if line.GrossValue != 0 && g.includes(e.Sale, line) {
				earned := new(big.Int).Mul(big.NewInt(int64(line.GrossValue)), big.NewInt(int64(g.PointValue)))
				e.add(line, new(big.Rat).SetFrac(earned, big.NewInt(10_000*decimal.OneRate/100)))
			}
		}
		return true
	},
}

func (g *General) isTooSmall(sale *transaction.Transaction) bool {
	if g.ExcludeDeliveryCost {
		return sale.Amounts.WithoutDelivery < g.MinOrder
	}
	return sale.Amounts.Gross < g.MinOrder
}

// includes reports whether an item of the sale earns points.
func (g *General) includes(sale *transaction.Transaction, line *transaction.Item) bool {
	delivery := slices.Contains(sale.Excluded.DeliverySKUs, line.SKU.Code)
	switch {
	case slices.Contains(g.ExcludedSKUs, line.SKU.Code), g.ExcludeDeliveryCost && delivery:
		return false
	case g.LabelsInclusion == ExcludeLabels:
		return !carries(line, g.ExcludedLabels)
	case g.LabelsInclusion == IncludeLabels:
		return carries(line, g.IncludedLabels)
	}
	return true
}
