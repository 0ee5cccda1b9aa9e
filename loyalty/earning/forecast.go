package earning

import (
	"math/big"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// Forecast holds the points that a sale would earn its customer. See docs/behaviour/checkout.md#points.
type Forecast struct {
	Points Amount
	Rules  []RulePoints // those that change the points, in the order in which they apply
}

// RulePoints is the part of the points that a rule gives. It is negative for a rule that multiplies by less than one.
type RulePoints struct {
	RuleID, Name string
	Points       Amount
	Items        []Amount // by item of the sale; their sum is Points
}

// given holds the exact points that a rule gives each item, in hundredths.
type given struct {
	rule  *Rule
	items []*big.Rat
}

// ReadSaleRules reads the rules of a store that are switched on and give points for sales.
func (svc *Service) ReadSaleRules(tx *db.Tx, storeKey int64) ([]Rule, error) {
	return activeOf(tx, storeKey, svc.onSale...)
}

// Forecast returns what a sale would earn its customer, who is in the segments, by the rules of ReadSaleRules. The
// parts of rules and items add up to the points, which are rounded once.
func (svc *Service) Forecast(s *store.Store, rules []Rule, who *customer.Customer, in []customer.Segment,
	sale *transaction.Transaction) Forecast {
	return svc.forecast(s, usableFor(earnerOf(who, in), rules, sale), sale)
}

// forecast is Forecast by usable rules.
func (svc *Service) forecast(s *store.Store, rules []Rule, sale *transaction.Transaction) Forecast {
	return svc.evaluate(s, rules, sale, true).forecast(&s.Settings)
}

// forecast returns the rounded points of a detailed evaluation with their parts.
func (e *Evaluation) forecast(s *store.Settings) Forecast {
	f := Forecast{Points: e.total(s)}
	var exact []*big.Rat
	for _, of := range e.given {
		exact = append(exact, of.items...)
	}
	parts := apportion(exact, f.Points)
	for i, of := range e.given {
		n := len(of.items)
		share := RulePoints{RuleID: of.rule.ID, Name: of.rule.Name, Items: parts[i*n : (i+1)*n]}
		for _, points := range share.Items {
			share.Points += points
		}
		f.Rules = append(f.Rules, share)
	}
	return f
}

// ByItem returns the points of each of the items of the sale.
func (f Forecast) ByItem(items int) []Amount {
	all := make([]Amount, items)
	for _, rule := range f.Rules {
		for i, n := range rule.Items {
			all[i] += n
		}
	}
	return all
}

// itemPoints returns a copy of the present points of each item; nil unless they are noted.
func (e *Evaluation) itemPoints() []*big.Rat {
	if e.byItem == nil {
		return nil
	}
	all := make([]*big.Rat, len(e.Sale.Items))
	for i := range all {
		all[i] = new(big.Rat).Set(e.byItem[&e.Sale.Items[i]])
	}
	return all
}

// note adds what a rule gives the items to what is noted, unless it gives nothing.
func (e *Evaluation) note(r *Rule, before []*big.Rat) {
	if before == nil {
		return
	}
	after, changed := e.itemPoints(), false
	for i := range after {
		after[i].Sub(after[i], before[i])
		changed = changed || after[i].Sign() != 0
	}
	if changed {
		e.given = append(e.given, given{r, after})
	}
}

// apportion splits a total in proportion to exact parts, by the largest remainder; the first of equal ones gets more.
func apportion(exact []*big.Rat, total Amount) []Amount {
	parts, sum := make([]Amount, len(exact)), new(big.Rat)
	for _, p := range exact {
		sum.Add(sum, p)
	}
	if sum.Sign() <= 0 {
		return parts
	}
	scale := new(big.Rat).Quo(new(big.Rat).SetInt64(int64(total)), sum)
	rests, order := make([]*big.Rat, len(exact)), make([]int, len(exact))
	left := total
	for i, p := range exact {
		share := new(big.Rat).Mul(p, scale)
		floor := new(big.Int).Div(share.Num(), share.Denom())
		rests[i], order[i] = share.Sub(share, new(big.Rat).SetInt(floor)), i
		parts[i] = Amount(floor.Int64())
		left -= parts[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return rests[b].Cmp(rests[a]) })
	for _, i := range order[:min(int(left), len(order))] {
		parts[i]++
	}
	return parts
}

// usableFor returns the rules that the customer of a sale can use.
func usableFor(who Earner, rules []Rule, sale *transaction.Transaction) []Rule {
	return usableAt(rules, trial{who: who, at: sale.PurchasedAt, posID: sale.POSID})
}
