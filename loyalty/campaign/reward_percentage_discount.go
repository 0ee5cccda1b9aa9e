package campaign

import (
	"punchcard/core/api"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// PercentageDiscount is a voucher worth a part of a sale.
var PercentageDiscount = &RewardType{
	Name: "percentage_discount_code", Fields: Fields{Validity: true},
	Form: func(g *form.Group, d *Definition) {
		d.Percentage = g.Integer("transactionPercentageValue", form.NotBlank, form.Whole,
			form.GreaterOrEqual(0), form.LessThan(100))
	},
	View:     func(d *Definition, v *Seller) { v.Percentage = &d.Percentage },
	Sortable: map[string]api.Column{"transactionPercentageValue": "c.percentage"},
	Buyable:  true, Uncounted: true, OfferedTo: OfferedToNobody, TakesOff: TakesValue,
	Worth: func(d *Definition, gross decimal.Money) int64 {
		return int64(gross.MulDiv(d.Percentage, 100, 0)) / int64(decimal.Whole(1).Money())
	},
}
