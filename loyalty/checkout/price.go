// Package checkout computes the price of a customer's basket with the discount of the level, coupons and rewards, and
// the points that it earns. It changes nothing. See docs/behaviour/checkout.md.
package checkout

import (
	"cmp"
	"math/bits"
	"slices"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
)

// discount is something that lowers the price of a basket.
type discount struct {
	takes     campaign.TakesOff
	amount    decimal.Money // of campaign.TakesValue, and of TakesShare without percent
	percent   decimal.Rate  // of campaign.TakesShare: of what is left of its lines
	most      decimal.Money // that it takes off; 0 for any
	exclusive bool          // nothing that can be chosen is used with it
	order     int64         // lower ones come first; the best sequence of equal ones is chosen
	reward    bool          // the customer would have to buy it
	id        string        // of the coupon or the campaign
	only      *campaign.Basket
	refused   bool // it is not used, whatever it is worth
}

// compare orders discounts by their order, and equal ones by what they are: gifts, deliveries, percentages, values. So
// the order of the request does not matter. Of two that take the same off, a coupon is used rather than a reward.
func (d *discount) compare(with *discount) int {
	rank := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(d.order, with.order), cmp.Compare(with.takes, d.takes),
		cmp.Compare(with.percent, d.percent), cmp.Compare(with.amount, d.amount),
		cmp.Compare(rank(d.reward), rank(with.reward)), cmp.Compare(d.id, with.id))
}

// basket holds the lines that a customer wants to buy.
type basket struct {
	lines    []transaction.Item
	delivery []string // SKUs
	digits   int      // of the currency
}

// applies reports whether a discount is for a line: one that its campaign names, or without names any but delivery.
// Free delivery is for delivery alone, and a gift must be named.
func (b *basket) applies(d *discount, line *transaction.Item) bool {
	named := d.only != nil && d.only.NamesLines()
	switch {
	case d.takes == campaign.TakesDelivery:
		return slices.Contains(b.delivery, line.SKU.Code) && (!named || d.only.Names(line))
	case named:
		return d.only.Names(line)
	}
	return d.takes != campaign.TakesGift && !slices.Contains(b.delivery, line.SKU.Code)
}

// matched returns the indices of the lines that a discount is for.
func (b *basket) matched(d *discount) (lines []int) {
	for i := range b.lines {
		if b.applies(d, &b.lines[i]) {
			lines = append(lines, i)
		}
	}
	return lines
}

// price holds the rest to pay after some discounts.
type price struct {
	left     []decimal.Money       // of each line
	quantity []decimal.Thousandths // of each line, less gifts
	off      decimal.Money         // the sum of the discounts
	count    int                   // discounts that took something off
	last     int                   // the discount of a search that was used last
}

func (b *basket) full() price {
	p := price{left: make([]decimal.Money, len(b.lines)), quantity: make([]decimal.Thousandths, len(b.lines))}
	for i := range b.lines {
		p.left[i], p.quantity[i] = b.lines[i].GrossValue, b.lines[i].Quantity
	}
	return p
}

func (p *price) clone() price {
	copied := *p
	copied.left, copied.quantity = slices.Clone(p.left), slices.Clone(p.quantity)
	return copied
}

// take lowers the price by a discount that is for some lines.
func (b *basket) take(p *price, d *discount, lines []int) {
	if d.takes == campaign.TakesGift {
		lines = p.gift(lines, b.digits)
	}
	left, sum := make([]decimal.Money, len(lines)), decimal.Money(0)
	for n, i := range lines {
		left[n] = p.left[i]
		sum += left[n]
	}
	off := sum
	switch {
	case d.takes == campaign.TakesGift && len(lines) > 0:
		off = p.unit(lines[0], b.digits)
		p.quantity[lines[0]] -= min(oneUnit, p.quantity[lines[0]])
	case d.percent > 0:
		off = sum.MulDiv(int64(d.percent), 100*decimal.OneRate, b.digits)
	case d.takes != campaign.TakesDelivery:
		off = d.amount
	}
	if d.most > 0 {
		off = min(off, d.most)
	}
	unit := decimal.Unit(b.digits)
	off = max(0, min(off, sum)) / unit * unit
	shares := split(off, left, unit)
	for n, i := range lines {
		p.left[i] -= shares[n]
	}
	if off > 0 {
		p.off, p.count = p.off+off, p.count+1
	}
}

const oneUnit = decimal.Thousandths(1000) // of a product

// unit returns what one unit of the product of a line costs now.
func (p *price) unit(line, digits int) decimal.Money {
	q := p.quantity[line]
	if q <= oneUnit {
		return p.left[line]
	}
	return p.left[line].MulDiv(int64(oneUnit), int64(q), digits)
}

// gift returns the line of which a gift takes a unit: the cheapest of those of which something is to be paid.
func (p *price) gift(lines []int, digits int) []int {
	best := -1
	for _, i := range lines {
		if p.left[i] > 0 && p.quantity[i] > 0 && (best < 0 || p.unit(i, digits) < p.unit(best, digits)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return []int{best}
}

// split splits an amount, which does not exceed the sum of the parts, in proportion to the parts. It rounds down to the
// unit of the currency, and gives the rest to the largest remainders, the first of equal ones.
func split(amount decimal.Money, parts []decimal.Money, unit decimal.Money) []decimal.Money {
	shares, rests, order := make([]decimal.Money, len(parts)), make([]uint64, len(parts)), make([]int, len(parts))
	sum := uint64(0)
	for _, part := range parts {
		sum += uint64(part / unit)
	}
	if sum == 0 {
		return shares
	}
	units := uint64(amount / unit)
	left := units
	for i, part := range parts {
		high, low := bits.Mul64(units, uint64(part/unit))
		share, rest := bits.Div64(high, low, sum)
		shares[i], rests[i], order[i] = decimal.Money(share)*unit, rest, i
		left -= share
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rests[b], rests[a]) })
	for _, i := range order[:left] {
		shares[i] += unit
	}
	return shares
}
