package transfer

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

// Emissions returns the events of the endpoints. Points that count for levels can change the customer's level.
func Emissions() []event.Emission {
	const ofStore = "POST /api/{storeCode}/"
	with := func(fact event.Fact) []event.Fact { return []event.Fact{fact, customer.Facts.Moved} }
	return []event.Emission{
		{By: []string{ofStore + "points/transfer/add", ofStore + "pos/points/transfer/add"}, Facts: with(points.Facts.Added)},
		{By: []string{ofStore + "points/transfer/spend", ofStore + "pos/points/transfer/spend"},
			Facts: with(points.Facts.Spent)},
		{By: []string{ofStore + "points/transfer/import"}, Again: true,
			Facts: []event.Fact{points.Facts.Added, points.Facts.Spent, customer.Facts.Moved}},
		{By: []string{ofStore + "points/transfer/block"}, Facts: with(points.Facts.Blocked)},
		{By: []string{ofStore + "points/transfer/{transfer}/cancel"}, Facts: with(points.Facts.Canceled)},
		{By: []string{ofStore + "points/transfer/{transfer}/activate"}, Facts: with(points.Facts.Unlocked)},
		{By: []string{ofStore + "points/transfer/{transfer}/expire"}, Facts: with(points.Facts.Expired)},
		{By: []string{ofStore + "admin/p2p-points-transfer", ofStore + "admin/p2p-points-tranfer",
			ofStore + "customer/points/p2p-transfer"},
			Facts: []event.Fact{points.Facts.Transferred, points.Facts.Added, customer.Facts.Moved}},
	}
}
