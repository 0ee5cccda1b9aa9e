package app

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/event"
)

// clockMove lists the events of the jobs that run when the clock of a sandbox store is moved.
func clockMove() event.Emission {
	return event.Emission{By: []string{"POST /api/{storeCode}/admin/clock"}, Again: true, Facts: append([]event.Fact{
		points.Facts.Unlocked, points.Facts.Expired, customer.Facts.Moved, purchase.Facts.StatusChanged,
		customer.Facts.Recalculated, points.Facts.Reset,
	}, notification.Endings...)}
}
