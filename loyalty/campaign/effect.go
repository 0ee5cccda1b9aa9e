package campaign

import (
	"punchcard/core/access"
	"punchcard/core/api"
)

// counterEffect is a change of the number of coupons that a campaign has sold.
type counterEffect struct {
	CampaignID string `json:"campaignId"`
	SoldBefore int64  `json:"soldBefore"`
	SoldAfter  int64  `json:"soldAfter"`
}

// sold lists the campaigns of which a dry run sells coupons, or takes them back.
var sold = &api.Effect{
	Name: "counters",
	View: func(campaignID string, before, after int64) any { return counterEffect{campaignID, before, after} },
	MaySee: func(caller *access.Caller, _ string) bool {
		return caller.Role == access.Seller || caller.Allowed(access.RewardCampaigns, access.View)
	},
}
