package cashback

import (
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/event"
)

// Emissions declares the events that the endpoints append.
func Emissions() []event.Emission {
	const ofStore = "POST /api/{storeCode}/"
	return []event.Emission{
		{By: []string{ofStore + "admin/campaign/cashback/redeem", ofStore + "customer/campaign/cashback/redeem"},
			Facts: []event.Fact{purchase.Facts.Bought, points.Facts.Spent}},
		{By: []string{ofStore + "campaign/cashback/callback/{provider}"},
			Facts: []event.Fact{
				campaignBoughtCashbackStatusWasChanged{}, purchase.Facts.StatusChanged, points.Facts.Returned,
			}},
	}
}
