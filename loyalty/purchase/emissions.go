package purchase

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

// Facts are the coupon events that operations of other packages append, too.
var Facts = struct{ Bought, StatusChanged, Returned, CouponChanged event.Fact }{
	campaignWasBoughtByCustomer{}, campaignStatusWasChanged{}, campaignWasReturned{}, campaignCouponWasChanged{},
}

// Emissions returns the events of the endpoints and jobs.
func Emissions() []event.Emission {
	const ofStore = "/api/{storeCode}/"
	const delivery = ofStore + "admin/customer/{customer}/bought/coupon/{coupon}/changeDeliveryStatus"
	return []event.Emission{
		{By: []string{
			"POST " + ofStore + "admin/customer/{customer}/campaign/{campaign}/buy",
			"POST " + ofStore + "customer/campaign/{campaign}/buy",
			"POST " + ofStore + "seller/customer/{customer}/campaign/{campaign}/buy",
		}, Facts: []event.Fact{campaignWasBoughtByCustomer{}, points.Facts.Spent}, Again: true},
		{By: []string{
			"POST " + ofStore + "admin/campaign/coupons/mark_as_used",
			"POST " + ofStore + "customer/campaign/coupons/mark_as_used",
			"POST " + ofStore + "seller/coupons/mark_as_used",
		}, Facts: []event.Fact{
			campaignStatusWasChanged{}, campaignUsageWasChanged{}, campaignBoughtDeliveryStatusWasChanged{},
		}, Again: true},
		{By: []string{"PUT " + delivery, "POST " + delivery}, Facts: []event.Fact{campaignBoughtDeliveryStatusWasChanged{}}},
		{By: []string{"POST " + ofStore + "admin/clock"}, Facts: []event.Fact{
			points.Facts.Unlocked, points.Facts.Expired, customer.Facts.Moved, campaignStatusWasChanged{},
			customer.Facts.Recalculated, points.Facts.Reset,
		}, Again: true},
		{By: []string{"job coupons"}, Facts: []event.Fact{campaignStatusWasChanged{}}, Again: true},
	}
}
