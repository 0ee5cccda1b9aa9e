package earning

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/event"
)

// Emissions returns the events of the endpoints that give points, including those of other packages by hooks.
func Emissions() []event.Emission {
	const inStore = "POST " + ofStore
	assignment := []event.Fact{
		transaction.Facts.Matched, transaction.Facts.Assigned, purchase.Facts.Bought, points.Facts.Added,
		purchase.Facts.Returned, purchase.Facts.CouponChanged, purchase.Facts.StatusChanged, purchase.Facts.RewardsReturned,
		points.Facts.Spent, customer.Facts.Moved,
	}
	return []event.Emission{
		{By: []string{inStore + "transaction", inStore + "seller/transaction"},
			Facts: append([]event.Fact{transaction.Facts.Registered}, assignment...)},
		{By: []string{
			inStore + "admin/transaction/customer/assign", inStore + "customer/transaction/customer/assign",
			inStore + "pos/transaction/customer/assign", inStore + "seller/transaction/customer/assign",
			inStore + "admin/transaction/customer/assign/import",
		}, Facts: assignment, Again: true}, // the returns of a sale are assigned with it
		{By: []string{inStore + "admin/transaction/import"},
			Facts: append([]event.Fact{transaction.Facts.Registered}, assignment...), Again: true},
		{By: []string{
			inStore + "customer/earningRule/{eventName}", inStore + "customer/earnRule/{eventName}",
			inStore + "v1/earnRule/{eventName}/customer/{customer}", "POST /api/v1/earnRule/{eventName}/customer/{customer}",
			inStore + "earningRule/qrcode/customer/{customer}", inStore + "earningRule/geolocation/customer/{customer}",
			"POST /api/{loginStore}/customer/login_check", "POST /api/{loginStore}/member/login_check",
			"POST /api/customer/login_check",
		}, Facts: []event.Fact{points.Facts.Added, customer.Facts.Moved}},
	}
}
