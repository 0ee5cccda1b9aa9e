package trade_test

import (
	"punchcard/loyalty/campaign"
	"punchcard/platform/form"
)

// raffleTicket is a ticket of a raffle. Its codes are the numbers of the tickets.
var raffleTicket = &campaign.RewardType{
	Name:    "raffle_ticket",
	Fields:  campaign.CouponFields,
	Buyable: true,
	Form: func(g *form.Group, d *campaign.Definition) {
		d.Details = map[string]string{"prize": g.Text("prize", form.NotBlank, form.MaxLength(255))}
	},
}
