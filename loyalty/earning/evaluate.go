package earning

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
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
	Comment string   // names of the rules that contributed points
	Rewards []Rule   // instant rewards to give
	lines   []Amount // points by line; nil unless the sale keeps them
}

// Evaluate returns what a sale earns by the usable rules, by line if the sale keeps that. The order of the arguments
// does not matter: rules apply in steps by type, older ones first. See
// docs/behaviour/earning-rules.md#points-of-a-purchase.
func (svc *Service) Evaluate(s *store.Store, rules []Rule, sale *transaction.Transaction) Result {
	e := svc.evaluate(s, rules, sale, sale.LinePoints != nil)
	result := Result{Points: e.total(&s.Settings), Comment: strings.Join(e.names, ", "), Rewards: e.rewards}
	if sale.LinePoints != nil {
		result.lines = e.forecast(&s.Settings).ByItem(len(sale.Items))
	}
	return result
}

// evaluate applies the usable rules to a sale. detailed notes what each rule gives each item.
func (svc *Service) evaluate(s *store.Store, rules []Rule, sale *transaction.Transaction, detailed bool) *Evaluation {
	e := begin(s, sale, detailed)
	sorted := svc.inOrder(rules)
	for i := range sorted {
		e.apply(svc.byName[sorted[i].Type], &sorted[i])
	}
	return e
}

// inOrder returns the rules in the order in which they apply to a sale. Those that never do come last.
func (svc *Service) inOrder(rules []Rule) []Rule {
	step := func(r *Rule) int { return cmp.Or(svc.byName[r.Type].Step, math.MaxInt) }
	return slices.SortedFunc(slices.Values(rules), func(a, b Rule) int {
		return cmp.Or(cmp.Compare(step(&a), step(&b)), cmp.Compare(a.ID, b.ID))
	})
}

// begin returns the evaluation of a sale before any rule.
func begin(s *store.Store, sale *transaction.Transaction, detailed bool) *Evaluation {
	e := &Evaluation{Sale: sale, Zone: s.Zone, points: map[transaction.SKU]*big.Rat{}}
	for i := range sale.Items {
		e.points[sale.Items[i].SKU] = new(big.Rat)
	}
	if detailed {
		e.byItem = make(map[*transaction.Item]*big.Rat, len(sale.Items))
		for i := range sale.Items {
			e.byItem[&sale.Items[i]] = new(big.Rat)
		}
	}
	return e
}

// Evaluation holds the exact points of each product of a sale. Only their sum is rounded.
type Evaluation struct {
	Sale *transaction.Transaction
	Zone *time.Location // of the store, in which days begin

	points  map[transaction.SKU]*big.Rat // in hundredths
	paid    bool                         // the present rule contributed points
	names   []string                     // of the rules that contributed points
	rewards []Rule
	last    *Rule // the rule that ended the evaluation; nil for none

	byItem map[*transaction.Item]*big.Rat // the points by item; nil unless they are noted
	given  []given
}

// apply applies a usable rule if the sale keeps its conditions.
func (e *Evaluation) apply(t *RuleType, r *Rule) {
	passed, counts := e.keeps(t, r)
	if passed {
		e.paid = false
		before := e.itemPoints()
		t.Apply(e, r)
		e.note(r, before)
		if e.paid {
			e.names = append(e.names, r.Name)
		}
	}
	if counts && r.Definition.LastExecuted {
		e.last = r
	}
}

// Add adds points to the product of an item.
func (e *Evaluation) Add(line *transaction.Item, points Amount) {
	e.add(line, new(big.Rat).SetInt64(int64(points)))
}

func (e *Evaluation) add(line *transaction.Item, points *big.Rat) {
	e.points[line.SKU].Add(e.points[line.SKU], points)
	if e.byItem != nil {
		e.byItem[line].Add(e.byItem[line], points)
	}
	e.paid = true
}

// Multiply multiplies the points of every product with a matching item once.
func (e *Evaluation) Multiply(by decimal.Rate, matches func(*transaction.Item) bool) {
	done := map[transaction.SKU]bool{}
	for i := range e.Sale.Items {
		line := &e.Sale.Items[i]
		if done[line.SKU] || !matches(line) {
			continue
		}
		done[line.SKU] = true
		p := e.points[line.SKU]
		e.paid = e.paid || p.Sign() != 0
		p.Mul(p, big.NewRat(int64(by), decimal.OneRate))
	}
	for item, p := range e.byItem {
		if done[item.SKU] {
			p.Mul(p, big.NewRat(int64(by), decimal.OneRate))
		}
	}
}

// total returns the sum over all products, rounded as the store wants it.
func (e *Evaluation) total(s *store.Settings) Amount {
	sum := new(big.Rat)
	for _, p := range e.points {
		sum.Add(sum, p)
	}
	if sum.Sign() < 0 { // discounts on products that earn nothing
		return 0
	}
	rounded := s.RoundPoints(sum)
	if rounded.Cmp(big.NewInt(int64(PointsLimit))) > 0 {
		return PointsLimit
	}
	return Amount(rounded.Int64())
}
