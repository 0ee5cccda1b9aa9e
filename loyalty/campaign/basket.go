package campaign

import (
	"slices"
	"strconv"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// TakesOff is how a coupon of a reward type lowers the price of a basket. See docs/behaviour/checkout.md#coupons.
type TakesOff int

// The values of TakesOff.
const (
	TakesNothing  TakesOff = iota
	TakesValue             // the reward value, or what a voucher is worth
	TakesShare             // the percentage of Basket, or without one the reward value
	TakesDelivery          // the price of the delivery
	TakesGift              // the price of one unit of a product
)

// Basket holds the fields of a campaign about baskets that its coupons are used for. All are optional.
type Basket struct {
	Exclusive  bool           `json:"exclusive,omitempty"`  // no other coupon is used with it
	Order      int64          `json:"order,omitempty"`      // coupons with a lower one are used first
	Percentage decimal.Rate   `json:"percentage,omitempty"` // percent of what is left of its lines
	Cap        *decimal.Money `json:"cap,omitempty"`        // the most that one coupon takes off
	SKUs       []string       `json:"skuIds,omitempty"`
	Categories []string       `json:"categories,omitempty"`
	Labels     []Label        `json:"labels,omitempty"`
}

// Limits of the fields of Basket.
const (
	basketTargetLimit = 100 // SKUs, categories and labels, of each
	basketOrderLimit  = 1000
)

// NamesLines reports whether the campaign is for certain products only.
func (b *Basket) NamesLines() bool { return len(b.SKUs)+len(b.Categories)+len(b.Labels) > 0 }

// Names reports whether a line has one of the SKUs, categories or labels.
func (b *Basket) Names(line *transaction.Item) bool {
	return slices.Contains(b.SKUs, line.SKU.Code) || slices.Contains(b.Categories, line.Category) ||
		slices.ContainsFunc(line.Labels, func(l transaction.Label) bool { return slices.Contains(b.Labels, Label(l)) })
}

// BasketValue returns the money that a coupon with the code takes off a basket, if it is a fixed amount.
func (c *Campaign) BasketValue(code string) decimal.Money {
	switch {
	case c.Reward.Worth != nil: // the value is the code
		units, err := strconv.ParseInt(code, 10, 32)
		if err != nil {
			return 0
		}
		return decimal.Whole(units).Money()
	case c.Definition.RewardValue == nil:
		return 0
	}
	return *c.Definition.RewardValue
}

// readBasket reads the fields about baskets. They are optional, so that the errors of older clients keep their bytes.
func readBasket(g *form.Group, d *Draft, s *store.Store) {
	if !g.Submitted("basket") {
		return
	}
	if d.Reward.TakesOff == TakesNothing {
		g.Ignore("basket")
		return
	}
	const moneyLimit = 999_999_999 * 10_000
	const everything = 100 * decimal.OneRate
	of := g.Group("basket")
	b := Basket{
		Exclusive: of.Checkbox("exclusive"), Order: of.Integer("order", form.AtLeast(0), form.LessThan(basketOrderLimit)),
	}
	if d.Reward.TakesOff == TakesShare {
		b.Percentage = decimal.Rate(of.Decimal("percentage", decimal.RateDigits, form.AtLeast(0),
			form.AtMostDigits(decimal.RateDigits)))
		if b.Percentage > everything {
			of.AddError("percentage", form.TooHigh.With("100"))
		}
	} else {
		of.Ignore("percentage")
	}
	if most := s.ReadMoney(of, "cap", form.GreaterThan(0), form.LessThan(moneyLimit)); most != 0 {
		b.Cap = &most
	}
	b.SKUs = of.KeyTexts("skuIds", form.MaxLength(nameLimit))
	b.Categories = of.KeyTexts("categories", form.MaxLength(nameLimit))
	for _, entry := range of.Groups("labels") {
		b.Labels = append(b.Labels, Label{
			Key:   entry.Key("key", form.NotBlank, form.MaxLength(labelLimit)),
			Value: entry.Key("value", form.MaxLength(labelLimit)),
		})
	}
	for name, n := range map[string]int{"skuIds": len(b.SKUs), "categories": len(b.Categories), "labels": len(b.Labels)} {
		if n > basketTargetLimit {
			of.AddError(name, form.TooMany.With(basketTargetLimit))
		}
	}
	if b.Exclusive || b.Order != 0 || b.Percentage != 0 || b.Cap != nil || b.NamesLines() {
		d.Definition.Basket = &b
	}
}
