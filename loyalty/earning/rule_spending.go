package earning

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
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
	Conditions: []Condition{
		{Name: "minOrderValue", Skips: true, Applies: func(r *Rule) bool { return r.Definition.General.MinOrder > 0 },
			Check: func(e *Evaluation, r *Rule) bool {
				return r.Definition.General.MinOrder <= r.Definition.General.value(e.Sale)
			},
			Describe: describeMinOrder},
		{Name: "lines", Check: func(e *Evaluation, r *Rule) bool {
			return e.has(func(line *transaction.Item) bool { return r.Definition.General.barrier(e.Sale, line) == "" })
		}, Describe: describeBarriers},
	},
	Apply: func(e *Evaluation, r *Rule) {
		g := &r.Definition.General
		for i := range e.Sale.Items {
			line := &e.Sale.Items[i]
			if g.barrier(e.Sale, line) == "" {
				earned := new(big.Int).Mul(big.NewInt(int64(line.GrossValue)), big.NewInt(int64(g.PointValue)))
				e.add(line, new(big.Rat).SetFrac(earned, big.NewInt(10_000*decimal.OneRate/100)))
			}
		}
	},
}

// value returns the value of a sale that MinOrder is compared with.
func (g *General) value(sale *transaction.Transaction) decimal.Money {
	if g.ExcludeDeliveryCost {
		return sale.Amounts.WithoutDelivery
	}
	return sale.Amounts.Gross
}

// Why a line earns no points by a rule of the type points.
const (
	withoutValue    = "without a value"
	excludedSKU     = "with an excluded SKU"
	deliveryCost    = "of delivery"
	excludedLabel   = "with an excluded label"
	noIncludedLabel = "without an included label"
)

// barrier returns why an item of the sale earns no points; empty if it does.
func (g *General) barrier(sale *transaction.Transaction, line *transaction.Item) string {
	switch {
	case line.GrossValue == 0:
		return withoutValue
	case slices.Contains(g.ExcludedSKUs, line.SKU.Code):
		return excludedSKU
	case g.ExcludeDeliveryCost && slices.Contains(sale.Excluded.DeliverySKUs, line.SKU.Code):
		return deliveryCost
	case g.LabelsInclusion == ExcludeLabels && carries(line, g.ExcludedLabels):
		return excludedLabel
	case g.LabelsInclusion == IncludeLabels && !carries(line, g.IncludedLabels):
		return noIncludedLabel
	}
	return ""
}

func describeMinOrder(e *Evaluation, r *Rule, f *api.Finding) {
	g := &r.Definition.General
	f.Need, f.Have = g.MinOrder, g.value(e.Sale)
	f.Hint = (g.MinOrder - g.value(e.Sale)).String() + " are missing to the least value of a sale."
}

// describeBarriers counts the lines that earn and, by reason, those that do not.
func describeBarriers(e *Evaluation, r *Rule, f *api.Finding) {
	counts := map[string]int{}
	for i := range e.Sale.Items {
		counts[r.Definition.General.barrier(e.Sale, &e.Sale.Items[i])]++
	}
	var lines []string
	for _, barrier := range []string{withoutValue, excludedSKU, deliveryCost, excludedLabel, noIncludedLabel} {
		if n := counts[barrier]; n > 0 {
			lines = append(lines, fmt.Sprint(n, " ", barrier))
		}
	}
	f.Need, f.Have, f.Hint = 1, counts[""], "No line earns points: "+strings.Join(lines, ", ")+"."
}
