package campaign

import "punchcard/platform/form"

// CustomCampaignCode is a campaign that an earning rule refers to.
var CustomCampaignCode = &RewardType{
	Name: "custom_campaign_code", Fields: Fields{Visibility: true}, Uncounted: true, OfferedTo: OfferedToStaff,
	Form: func(g *form.Group, d *Definition) {
		d.ConnectType = g.Choice("connectType", []string{"none", "qrcode", "geolocation"})
		if d.ConnectType != "" && d.ConnectType != "none" {
			d.EarningRuleID = g.UUID("earningRuleId")
		}
	},
}
