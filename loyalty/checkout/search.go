package checkout

import (
	"math/bits"
	"slices"

	"punchcard/platform/decimal"
)

// CombinationLimit is the maximal number of combinations of coupons and rewards whose prices are compared.
const CombinationLimit = 512

// sequenceLimit is the maximal number of coupons and rewards of which all sequences are compared; their combinations do
// not exceed CombinationLimit. More are used as discount.compare orders them.
const sequenceLimit = 8

// outcome is the price of a basket with the best combination of discounts.
type outcome struct {
	price
	shares   [][]decimal.Money // by discount and line, the chosen ones after the given ones; nil for one that is not used
	used     []int             // the discounts that take something off, in the order of use
	tried    int               // combinations
	complete bool              // these are all
}

// total returns what a discount takes off.
func (o *outcome) total(discount int) (sum decimal.Money) {
	for _, share := range o.shares[discount] {
		sum += share
	}
	return sum
}

// price computes the price of the basket: first the given discounts, in their order, then the best combination of those
// that can be chosen, 64 at most. That is the one that takes off most; among equals the one with the fewest discounts.
func (b *basket) price(given, choices []discount) outcome {
	o := outcome{price: b.full(), shares: make([][]decimal.Money, len(given)+len(choices))}
	use := func(n int, d *discount) {
		before := slices.Clone(o.left)
		b.take(&o.price, d, b.matched(d))
		for i := range before {
			before[i] -= o.left[i]
		}
		if slices.ContainsFunc(before, func(share decimal.Money) bool { return share > 0 }) {
			o.shares[n], o.used = before, append(o.used, n)
		}
	}
	for i := range given {
		use(i, &given[i])
	}
	s := search{basket: b, choices: choices, prices: map[combination]*price{}}
	best := s.best(o.clone())
	o.tried, o.complete = len(s.prices), s.complete
	for _, i := range s.sequence(best) {
		use(len(given)+i, &choices[i])
	}
	return o
}

// combination is a set of the choices of a search, one bit for each.
type combination uint64

func (c combination) has(n int) bool { return c>>n&1 == 1 }

// search looks for the best combination of discounts.
type search struct {
	basket   *basket
	choices  []discount
	order    []int   // of the choices, by their order and then by what they are; refused ones are left out
	lines    [][]int // that each of these is for
	prices   map[combination]*price
	found    combination // the best one up to now
	complete bool
}

// best returns the best combination for a basket of which a price is left. It tries each discount alone, then all that
// can be used together, then these without some that the price does not need, then the other combinations.
func (s *search) best(left price) combination {
	for i := range s.choices {
		if !s.choices[i].refused {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return s.choices[a].compare(&s.choices[b]) })
	s.prices[0] = &left
	var together combination
	for n, i := range s.order {
		s.lines = append(s.lines, s.basket.matched(&s.choices[i]))
		s.try(1 << n)
		if !s.choices[i].exclusive {
			together |= 1 << n
		}
	}
	s.thin(together)
	s.complete = s.tryAll(together)
	return s.found
}

// try returns the price with a combination in its best sequence: it compares each discount of the highest order as the
// last one, after the best sequence of the others. Of many choices it tries one sequence.
func (s *search) try(c combination) *price {
	if known := s.prices[c]; known != nil {
		return known
	}
	highest := s.choices[s.order[bits.Len64(uint64(c))-1]].order
	var best *price
	for n := bits.Len64(uint64(c)) - 1; n >= 0 && s.choices[s.order[n]].order == highest; n-- {
		if !c.has(n) {
			continue
		}
		p := s.try(c &^ (1 << n)).clone()
		s.basket.take(&p, &s.choices[s.order[n]], s.lines[n])
		if p.last = n; best == nil || p.isBetter(best) {
			best = &p
		}
		if len(s.order) > sequenceLimit {
			break
		}
	}
	s.prices[c] = best
	if best.isBetter(s.prices[s.found]) {
		s.found = c
	}
	return best
}

// isBetter reports whether more is taken off, or the same by fewer discounts.
func (p *price) isBetter(than *price) bool {
	return p.off > than.off || p.off == than.off && p.count < than.count
}

// sequence returns the choices of a combination that was tried, in the order in which they are used.
func (s *search) sequence(c combination) (choices []int) {
	for c != 0 {
		last := s.prices[c].last
		choices = append(choices, s.order[last])
		c &^= 1 << last
	}
	slices.Reverse(choices)
	return choices
}

// thin tries a combination, and then leaves out one after the other what the price does not need.
func (s *search) thin(c combination) {
	off := s.try(c).off
	for n := range s.order {
		without := c &^ (1 << n)
		if len(s.prices)+len(s.order) > CombinationLimit {
			return
		}
		if c.has(n) && s.try(without).off >= off {
			c = without
		}
	}
}

// tryAll tries all parts of a combination, as many as the limit allows, and reports whether these are all.
func (s *search) tryAll(together combination) bool {
	for c := combination(0); c != together; {
		c = (c - together) & together // the next larger part
		if s.prices[c] == nil && len(s.prices) >= CombinationLimit {
			return false
		}
		s.try(c)
	}
	return true
}
