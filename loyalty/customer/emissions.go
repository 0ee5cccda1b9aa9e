package customer

import (
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

// Facts are the events of customers that operations of other features append too.
var Facts = struct{ Moved, Activated, Recalculated event.Fact }{
	customerWasMovedToLevel{}, customerWasActivated{}, customerLevelWasRecalculated{},
}

// Emissions lists which endpoints and jobs append which events. Registrations and agreements can also earn
// points.
func Emissions() []event.Emission {
	const post, put, del, of = "POST /api/{storeCode}/", "PUT /api/{storeCode}/", "DELETE /api/{storeCode}/",
		"customer/{customer}"
	parts := []event.Fact{
		customerAddressWasUpdated{}, customerCompanyDetailsWereUpdated{}, customerLoyaltyCardNumberWasUpdated{},
		posWasAssignedToCustomer{}, sellerWasAssignedToCustomer{}, customerWasMovedToLevel{},
	}
	registration := append([]event.Fact{
		customerWasRegistered{}, customerWasAssignedToStore{}, accountWasCreated{}, accountWasAssignedToStore{},
		assignedAccountToCustomer{},
	}, parts...)
	return []event.Emission{
		{By: []string{post + "admin/customer/register", post + "customer/register", post + "seller/customer/register",
			post + "customer/self_register"},
			Facts: append(registration, customerWasActivated{}, points.Facts.Added, customerWasMovedToLevel{})},
		{By: []string{put + of},
			Facts: append(append([]event.Fact{customerDetailsWereUpdated{}}, parts...), points.Facts.Added,
				customerWasMovedToLevel{})},
		{By: []string{post + "admin/customer/{customer}/card", post + "seller/customer/{customer}/card",
			post + "customer/customer/{customer}/card"},
			Facts: []event.Fact{customerDetailsWereUpdated{}, customerLoyaltyCardNumberWasUpdated{}}},
		{By: []string{put + of + "/label", post + of + "/label", del + of + "/label"},
			Facts: []event.Fact{customerDetailsWereUpdated{}}},
		{By: []string{post + "admin/customer/{customer}/activate", post + "seller/customer/{customer}/activate"},
			Facts: []event.Fact{customerWasActivated{}}},
		{By: []string{post + "admin/customer/{customer}/deactivate", post + "seller/customer/{customer}/deactivate"},
			Facts: []event.Fact{customerWasDeactivated{}}},
		{By: []string{post + "admin/customer/{customer}/anonymize"}, Facts: []event.Fact{customerWasAnonymized{}}},
		{By: []string{del + of}, Facts: []event.Fact{customerWasDeleted{}}},
		{By: []string{post + of + "/level", post + of + "/remove-manually-level", del + "level/{level}"},
			Facts: []event.Fact{customerWasMovedToLevel{}}},
		{By: []string{post + of + "/pos", post + "seller/customer/{customer}/pos"},
			Facts: []event.Fact{posWasAssignedToCustomer{}}},
		{By: []string{"job levels"}, Again: true,
			Facts: []event.Fact{customerLevelWasRecalculated{}, customerWasMovedToLevel{}, points.Facts.Reset}},
		{By: []string{"job points due"},
			Facts: []event.Fact{points.Facts.Unlocked, points.Facts.Expired, customerWasMovedToLevel{}}, Again: true},
	}
}
