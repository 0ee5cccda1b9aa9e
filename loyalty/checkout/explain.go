package checkout

import (
	"slices"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/decimal"
)

// judge returns the discount of an offer, nil if it lowers no price, and the rules that were checked, without that of
// the combination. See docs/behaviour/checkout.md#rules.
func (o *offer) judge(b *basket) (*discount, []api.Finding) {
	var findings []api.Finding
	if o.wish != nil {
		findings = append([]api.Finding{}, o.wish.Explanation...)
	} else {
		findings = append(findings, usable(o.shown))
	}
	c := o.campaign
	if c == nil || o.wish != nil && c.Reward.TakesOff == campaign.TakesNothing {
		return nil, findings
	}
	code := ""
	if o.shown != nil {
		code = o.shown.Coupon.Code
	}
	if o.wish != nil && c.DaysInactive > 0 {
		findings = append(findings, finding("coupon", false, nil, nil, "Its coupon can be used some days later."))
	}
	d := discountOf(c, code)
	if d.reward, d.id = o.wish != nil, c.ID; o.shown != nil {
		d.id = o.shown.Coupon.CouponID
	}
	findings = append(findings, lowersPrice(c))
	if d.takes == campaign.TakesNothing {
		return nil, findings
	}
	if d.takes == campaign.TakesValue || d.takes == campaign.TakesShare {
		findings = append(findings, hasValue(&d))
	}
	if least := c.Definition.MinimumBasket; least != nil {
		findings = append(findings, reaches(*least, b.value()))
	}
	findings = append(findings, hasLines(b, &d))
	d.refused = slices.ContainsFunc(findings, func(f api.Finding) bool { return !f.Passed })
	return &d, findings
}

// discountOf returns the discount of a coupon of a campaign.
func discountOf(c *campaign.Campaign, code string) discount {
	d := discount{takes: c.Reward.TakesOff, amount: c.BasketValue(code), only: c.Definition.Basket}
	if of := c.Definition.Basket; of != nil {
		d.percent, d.exclusive, d.order = of.Percentage, of.Exclusive, of.Order
		if of.Cap != nil {
			d.most = *of.Cap
		}
	}
	return d
}

// value returns the value of a basket before discounts.
func (b *basket) value() (sum decimal.Money) {
	for i := range b.lines {
		sum += b.lines[i].GrossValue
	}
	return sum
}

// finding returns a finding whose hint stays only if it did not pass.
func finding(rule string, passed bool, need, have any, hint string) api.Finding {
	return api.Finding{Rule: rule, Passed: passed, Need: need, Have: have, Hint: hint}.Hinted()
}

func usable(s *purchase.CouponCode) api.Finding {
	if s.Problem == nil {
		return finding("coupon", true, nil, nil, "")
	}
	return finding("coupon", false, nil, s.Problem.Code, s.Problem.Message)
}

func lowersPrice(c *campaign.Campaign) api.Finding {
	return finding("discount", c.Reward.TakesOff != campaign.TakesNothing, nil, c.Reward.Name,
		"A coupon of this type lowers no price.")
}

func hasValue(d *discount) api.Finding {
	if d.percent > 0 {
		return finding("value", true, nil, d.percent, "")
	}
	return finding("value", d.amount > 0, nil, d.amount, "The campaign has neither a value nor a percentage.")
}

func reaches(least, value decimal.Money) api.Finding {
	return finding("minimumBasket", value >= least, least, value,
		"The basket is "+(least-value).String()+" below the least value.")
}

func hasLines(b *basket, d *discount) api.Finding {
	lines := b.matched(d)
	hint := "The basket has no line that it is for."
	if d.takes == campaign.TakesGift && (d.only == nil || !d.only.NamesLines()) {
		hint = "The campaign names no product that it gives."
	}
	return finding("lines", len(lines) > 0, 1, len(lines), hint)
}

func combined(applied bool) api.Finding {
	return finding("combination", applied, nil, nil, "Without it the basket is at least as cheap.")
}
