package app

import (
	"slices"

	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/purchase"
	"punchcard/platform/event"
)

// emissions lists which endpoints and jobs record which events.
func emissions() []event.Emission {
	return slices.Concat(customer.Emissions(), transfer.Emissions(), purchase.Emissions(), cashback.Emissions(),
		earning.Emissions(), invitation.Emissions(), notification.Emissions(), []event.Emission{clockMove()})
}

// clockMove lists the events of the jobs that run when the clock of a sandbox store is moved.
func clockMove() event.Emission {
	return event.Emission{By: []string{"POST /api/{storeCode}/admin/clock"}, Again: true, Facts: append([]event.Fact{
		points.Facts.Unlocked, points.Facts.Expired, customer.Facts.Moved, purchase.Facts.StatusChanged,
		customer.Facts.Recalculated, points.Facts.Reset,
	}, notification.Endings...)}
}

// facts returns a zero value of each event type.
func facts() (all []event.Fact) {
	for _, e := range emissions() {
		all = append(all, e.Facts...)
	}
	return all
}
