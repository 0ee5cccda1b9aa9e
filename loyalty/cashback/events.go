package cashback

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/event"
)

type campaignBoughtCashbackStatusWasChanged struct {
	Customer customer.Ref `json:"customerId"`
	CouponID string       `json:"couponId"`
	Status   State        `json:"status"`
	Code     string       `json:"code"`
	Message  string       `json:"message"`
	Provider string       `json:"provider"`
}

func (campaignBoughtCashbackStatusWasChanged) EventType() string {
	return "Platform.Domain.Campaign.Event.CampaignBoughtCashbackStatusWasChanged"
}

func statusChanged(c *Cashback) event.Entry {
	return event.Entry{AggregateID: c.CustomerID, Fact: campaignBoughtCashbackStatusWasChanged{
		Customer: customer.Ref{CustomerID: c.CustomerID}, CouponID: c.CouponID, Status: c.State, Code: c.Code,
		Message: c.Message, Provider: c.Provider,
	}}
}

// Emissions declares the events that the endpoints append.
func Emissions() []event.Emission {
	const ofStore = "POST /api/{storeCode}/"
	return []event.Emission{
		{By: []string{ofStore + "admin/campaign/cashback/redeem", ofStore + "customer/campaign/cashback/redeem"},
			Facts: []event.Fact{purchase.Facts.Bought, points.Facts.Spent}},
		{By: []string{ofStore + "campaign/cashback/callback/{provider}"},
			Facts: []event.Fact{
				campaignBoughtCashbackStatusWasChanged{}, purchase.Facts.StatusChanged, points.Facts.Returned,
				points.Facts.Moved, points.Facts.Added,
			}},
	}
}
