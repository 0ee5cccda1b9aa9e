package cashback

import (
	"punchcard/loyalty/customer"
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
