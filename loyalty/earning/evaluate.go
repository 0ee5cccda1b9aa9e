package earning

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"punchcard/loyalty/transaction"
)

// PointsLimit is the maximal number of points that one sale can earn. More is cut off, because only a wrong rule can
// give so many.
const PointsLimit = Amount(1_000_000_000_000 * 100)

// carries reports whether an item has any of the labels.
func carries(line *transaction.Item, labels []Label) bool {
	return slices.ContainsFunc(line.Labels, func(own Label) bool { return slices.Contains(labels, own) })
}

// Result holds the points and rewards that a sale earns.
type Result struct {
	Points  Amount
	Comment string // names of the rules that contributed points
	Rewards []Rule // instant rewards to give
}

// Evaluate returns what a sale earns by the usable rules. The order of the arguments does not matter: rules apply in
// steps by type, older ones first. See docs/behaviour/earning-rules.md#points-of-a-purchase.
func Evaluate(rules []Rule, sale *transaction.Transaction) Result {
	sorted := slices.Clone(rules)
	slices.SortFunc(sorted, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(step(a.Type), step(b.Type)), cmp.Compare(a.ID, b.ID))
	})
	e := evaluation{sale: sale, points: map[transaction.SKU]*big.Rat{}}
	for i := range sale.Items {
		e.points[sale.Items[i].SKU] = new(big.Rat)
	}
	for i := range sorted {
		if counted := e.apply(&sorted[i]); counted && sorted[i].Definition.LastExecuted {
			break
		}
	}
	return Result{e.total(), strings.Join(e.names, ", "), e.rewards}
}

// step returns the step in which rules of the type apply, or 0 for other types.
func step(ruleType string) int {
	switch ruleType {
	case Spending:
		return 1
	case MultiplyProduct, MultiplyLabels, InstantReward:
		return 2
	case ProductPurchase:
		return 3
	}
	return 0
}

// evaluation holds the exact points of each product. Only their sum is rounded.
type evaluation struct {
	sale    *transaction.Transaction
	points  map[transaction.SKU]*big.Rat // in hundredths
	names   []string
	rewards []Rule
}

// apply applies a rule, and reports whether it contributed.
func (e *evaluation) apply(r *Rule) (counted bool) {
	d := &r.Definition
	paid := false
	switch r.Type {
	case Spending:
		if e.skips(&d.General) {
			return false
		}
		paid = e.spend(&d.General)
	case MultiplyProduct:
		paid = e.multiply(d.Multiplier, func(line *transaction.Item) bool {
			return slices.Contains(d.SKUs, line.SKU.Code) || carries(line, d.Labels)
		})
	case MultiplyLabels:
		for _, factor := range d.LabelMultipliers {
			label := []Label{factor.Label}
			paid = e.multiply(factor.Multiplier, func(line *transaction.Item) bool { return carries(line, label) }) || paid
		}
	case InstantReward:
		e.rewards = append(e.rewards, *r)
	case ProductPurchase:
		paid = e.add(d)
	default:
		return false
	}
	if paid {
		e.names = append(e.names, r.Name)
	}
	return true
}

// skips reports whether the sale is too small for the rule.
func (e *evaluation) skips(g *General) bool {
	if g.ExcludeDeliveryCost {
		return e.sale.Amounts.WithoutDelivery < g.MinOrder
	}
	return e.sale.Amounts.Gross < g.MinOrder
}

// spend adds points for the money spent on eligible items.
func (e *evaluation) spend(g *General) (paid bool) {
	for i := range e.sale.Items {
		line := &e.sale.Items[i]
		if line.GrossValue == 0 || !e.eligible(g, line) {
			continue
		}
		earned := new(big.Int).Mul(big.NewInt(int64(line.GrossValue)), big.NewInt(int64(g.PointValue)))
		e.points[line.SKU].Add(e.points[line.SKU], new(big.Rat).SetFrac(earned, big.NewInt(100)))
		paid = true
	}
	return paid
}

func (e *evaluation) eligible(g *General, line *transaction.Item) bool {
	delivery := slices.Contains(e.sale.Excluded.DeliverySKUs, line.SKU.Code)
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

// multiply multiplies the points of every product with a matching item once.
func (e *evaluation) multiply(by Amount, matches func(*transaction.Item) bool) (paid bool) {
	done := map[transaction.SKU]bool{}
	for i := range e.sale.Items {
		line := &e.sale.Items[i]
		if done[line.SKU] || !matches(line) {
			continue
		}
		done[line.SKU] = true
		p := e.points[line.SKU]
		paid = paid || p.Sign() > 0
		p.Mul(p, big.NewRat(int64(by), 100))
	}
	return paid
}

// add adds points for every item of the rule's products, whatever its quantity.
func (e *evaluation) add(d *Definition) (paid bool) {
	for i := range e.sale.Items {
		line := &e.sale.Items[i]
		if slices.Contains(d.SKUs, line.SKU.Code) {
			e.points[line.SKU].Add(e.points[line.SKU], new(big.Rat).SetInt64(int64(d.Points)))
			paid = true
		}
	}
	return paid
}

// total returns the sum over all products, rounded half up.
func (e *evaluation) total() Amount {
	sum := new(big.Rat)
	for _, p := range e.points {
		sum.Add(sum, p)
	}
	half := new(big.Rat).Add(sum, big.NewRat(1, 2)) // no product has negative points
	rounded := new(big.Int).Quo(half.Num(), half.Denom())
	if rounded.Cmp(big.NewInt(int64(PointsLimit))) > 0 {
		return PointsLimit
	}
	return Amount(rounded.Int64())
}
