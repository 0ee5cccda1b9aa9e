package campaign

import "punchcard/platform/form"

// GiftCode is a gift.
var GiftCode = &RewardType{
	Name: "gift_code", Fields: CouponFields, Buyable: true, TakesOff: TakesGift,
	Form: func(g *form.Group, d *Definition) { d.FulfillmentTracking = g.Checkbox("fulfillmentTracking") },
}
