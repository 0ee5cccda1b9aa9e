package campaign

import (
	"punchcard/core/api"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// CashbackProviders are the payment services that can pay cashback.
var CashbackProviders = []string{"payprovider"}

// Cashback exchanges points for money. Package cashback gives it.
var Cashback = &RewardType{
	Name: "cashback", Exchanged: true,
	Form: func(g *form.Group, d *Definition) {
		d.PointValue = decimal.Rate(g.Decimal("pointValue", decimal.RateDigits, form.NotBlank, form.AtLeast(0),
			form.AtMostDigits(decimal.RateDigits)))
		d.CashbackProvider = g.Choice("cashbackProvider", CashbackProviders)
	},
	View:     func(d *Definition, v *Seller) { v.PointValue = &d.PointValue },
	Sortable: map[string]api.Column{"pointValue": "c.point_value"},
}
