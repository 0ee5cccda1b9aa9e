package customer

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

const (
	userPrefix    = "Platform.Domain.User.Event."
	accountPrefix = "Platform.Domain.Account.Event."
)

// Ref is a customer's id as event payloads nest it.
type Ref struct {
	CustomerID string `json:"customerId"`
}

type levelRef struct {
	LevelID string `json:"levelId"`
}

type storeRef struct {
	StoreID string `json:"storeId"`
}

func eventTime(s *store.Store, t time.Time) string { return api.EventTimestamp(t, s.Zone) }

type customerWasRegistered struct {
	Customer     Ref    `json:"customerId"`
	CustomerData data   `json:"customerData"`
	UpdateAt     string `json:"updateAt"`
}

type customerWasAssignedToStore struct {
	Customer Ref      `json:"customerId"`
	Store    storeRef `json:"storeId"`
}

type accountWasCreated struct {
	Account  points.AccountRef `json:"accountId"`
	Customer Ref               `json:"customerId"`
}

type accountWasAssignedToStore struct {
	Account points.AccountRef `json:"accountId"`
	Store   storeRef          `json:"storeId"`
}

type assignedAccountToCustomer struct {
	Customer Ref               `json:"customerId"`
	Account  points.AccountRef `json:"accountId"`
}

type customerAddressWasUpdated struct {
	Customer Ref     `json:"customerId"`
	Address  Address `json:"addressData"`
	UpdateAt string  `json:"updateAt"`
}

type customerCompanyDetailsWereUpdated struct {
	Customer Ref     `json:"customerId"`
	Company  Company `json:"companyData"`
	UpdateAt string  `json:"updateAt"`
}

type customerLoyaltyCardNumberWasUpdated struct {
	Customer   Ref    `json:"customerId"`
	CardNumber string `json:"cardNumber"`
	UpdateAt   string `json:"updateAt"`
}

type customerWasMovedToLevel struct {
	Customer            Ref       `json:"customerId"`
	Level               levelRef  `json:"levelId"`
	OldLevel            *levelRef `json:"oldLevelId,omitempty"`
	UpdateAt            string    `json:"updateAt"`
	Manually            bool      `json:"manually"`
	RemoveLevelManually bool      `json:"removeLevelManually"`
}

type customerLevelWasRecalculated struct {
	Customer Ref    `json:"customerId"`
	Date     string `json:"date"`
}

type customerWasActivated struct {
	Customer    Ref    `json:"customerId"`
	ActivatedAt string `json:"activatedAt"`
}

type customerWasDeactivated struct {
	Customer      Ref    `json:"customerId"`
	DeactivatedAt string `json:"deactivatedAt"`
}

type customerWasDeleted struct {
	Customer Ref `json:"customerId"`
}

type customerAvatarWasSet struct {
	Customer Ref    `json:"customerId"`
	Path     string `json:"avatarPath"`
	MIMEType string `json:"avatarMime"`
	UpdateAt string `json:"updateAt"`
}

type customerAvatarWasRemoved struct {
	Customer Ref    `json:"customerId"`
	UpdateAt string `json:"updateAt"`
}

type posRef struct {
	POSID string `json:"posId"`
}

type posWasAssignedToCustomer struct {
	Customer Ref    `json:"customerId"`
	POS      posRef `json:"posId"`
	UpdateAt string `json:"updateAt"`
}

type sellerRef struct {
	SellerID string `json:"sellerId"`
}

type sellerWasAssignedToCustomer struct {
	Customer Ref       `json:"customerId"`
	Seller   sellerRef `json:"sellerId"`
	UpdateAt string    `json:"updateAt"`
}

func (customerWasRegistered) EventType() string { return userPrefix + "CustomerWasRegistered" }

func (customerWasAssignedToStore) EventType() string {
	return userPrefix + "CustomerWasAssignedToStore"
}

func (accountWasCreated) EventType() string { return accountPrefix + "AccountWasCreated" }

func (accountWasAssignedToStore) EventType() string {
	return accountPrefix + "AccountWasAssignedToStore"
}

func (assignedAccountToCustomer) EventType() string { return userPrefix + "AssignedAccountToCustomer" }

func (customerAddressWasUpdated) EventType() string { return userPrefix + "CustomerAddressWasUpdated" }

func (customerCompanyDetailsWereUpdated) EventType() string {
	return userPrefix + "CustomerCompanyDetailsWereUpdated"
}

func (customerLoyaltyCardNumberWasUpdated) EventType() string {
	return userPrefix + "CustomerLoyaltyCardNumberWasUpdated"
}

func (customerWasMovedToLevel) EventType() string { return userPrefix + "CustomerWasMovedToLevel" }

func (customerWasActivated) EventType() string { return userPrefix + "CustomerWasActivated" }

func (customerWasDeactivated) EventType() string { return userPrefix + "CustomerWasDeactivated" }

func (customerDetailsWereUpdated) EventType() string {
	return userPrefix + "CustomerDetailsWereUpdated"
}

func (customerLevelWasRecalculated) EventType() string {
	return userPrefix + "CustomerLevelWasRecalculated"
}

func (customerWasDeleted) EventType() string { return userPrefix + "CustomerWasDeleted" }

func (customerAvatarWasSet) EventType() string { return userPrefix + "CustomerAvatarWasSet" }

func (customerAvatarWasRemoved) EventType() string { return userPrefix + "CustomerAvatarWasRemoved" }

func (posWasAssignedToCustomer) EventType() string { return userPrefix + "PosWasAssignedToCustomer" }

func (sellerWasAssignedToCustomer) EventType() string {
	return userPrefix + "SellerWasAssignedToCustomer"
}

// Facts are the events of customers that operations of other features append too.
var Facts = struct{ Moved, Activated, Recalculated event.Fact }{
	customerWasMovedToLevel{}, customerWasActivated{}, customerLevelWasRecalculated{},
}

// partFacts returns the events of the parts of a customer that have events of their own.
func partFacts() []event.Fact {
	return []event.Fact{
		customerAddressWasUpdated{}, customerCompanyDetailsWereUpdated{}, customerLoyaltyCardNumberWasUpdated{},
		posWasAssignedToCustomer{}, sellerWasAssignedToCustomer{}, customerWasMovedToLevel{},
	}
}

// RegistrationFacts returns the events of a registration, without those of the points that it earns.
func RegistrationFacts() []event.Fact {
	facts := append([]event.Fact{
		customerWasRegistered{}, customerWasAssignedToStore{}, accountWasCreated{}, accountWasAssignedToStore{},
		assignedAccountToCustomer{},
	}, partFacts()...)
	return append(facts, customerWasActivated{})
}

// Emissions lists which endpoints and jobs append which events. Registrations, activations and agreements can also
// earn points.
func Emissions() []event.Emission {
	const post, put, del, of = "POST /api/{storeCode}/", "PUT /api/{storeCode}/", "DELETE /api/{storeCode}/",
		"customer/{customer}"
	return []event.Emission{
		{By: []string{post + "admin/customer/register", post + "customer/register", post + "seller/customer/register"},
			Facts: append(RegistrationFacts(), points.Facts.Added, customerWasMovedToLevel{})},
		{By: []string{post + "admin/customer/import"}, Again: true,
			Facts: append(RegistrationFacts(), points.Facts.Added, customerWasMovedToLevel{}, customerDetailsWereUpdated{},
				customerWasDeactivated{})},
		{By: []string{put + of},
			Facts: append(append([]event.Fact{customerDetailsWereUpdated{}}, partFacts()...), points.Facts.Added,
				customerWasMovedToLevel{})},
		{By: []string{post + "admin/customer/{customer}/card", post + "seller/customer/{customer}/card",
			post + "customer/customer/{customer}/card"},
			Facts: []event.Fact{customerDetailsWereUpdated{}, customerLoyaltyCardNumberWasUpdated{}}},
		{By: []string{post + "customer/confirm-change/{token}"}, Facts: []event.Fact{customerDetailsWereUpdated{}}},
		{By: []string{put + of + "/label", post + of + "/label", del + of + "/label"},
			Facts: []event.Fact{customerDetailsWereUpdated{}}},
		{By: []string{post + "admin/customer/{customer}/activate", post + "seller/customer/{customer}/activate",
			post + "customer/activate/{token}", post + "customer/activate-sms/{token}"},
			Facts: []event.Fact{customerWasActivated{}, points.Facts.Added, customerWasMovedToLevel{}}},
		{By: []string{post + "admin/customer/{customer}/deactivate", post + "seller/customer/{customer}/deactivate"},
			Facts: []event.Fact{customerWasDeactivated{}}},
		{By: []string{post + "admin/customer/{customer}/anonymize"}, Facts: []event.Fact{customerWasAnonymized{}}},
		{By: []string{del + of}, Facts: []event.Fact{customerWasDeleted{}}},
		{By: []string{post + of + "/avatar"}, Facts: []event.Fact{customerAvatarWasSet{}}},
		{By: []string{del + of + "/avatar"}, Facts: []event.Fact{customerAvatarWasRemoved{}}},
		{By: []string{post + of + "/level", post + of + "/remove-manually-level", del + "level/{level}"},
			Facts: []event.Fact{customerWasMovedToLevel{}}},
		{By: []string{post + of + "/pos", post + "seller/customer/{customer}/pos"},
			Facts: []event.Fact{posWasAssignedToCustomer{}}},
		{By: []string{"job imports"}, Again: true, // imports in the background, and those that are undone
			Facts: append(append(RegistrationFacts(), points.Facts.Added, customerWasMovedToLevel{},
				customerDetailsWereUpdated{}, customerWasDeactivated{}, customerWasDeleted{}), points.Facts.Spent,
				points.Facts.Canceled, points.Facts.Returned)},
		{By: []string{"job bulk actions"}, Again: true, // also of those that are undone
			Facts: []event.Fact{customerDetailsWereUpdated{}, points.Facts.Added, points.Facts.Spent, points.Facts.Canceled,
				points.Facts.Returned, customerWasMovedToLevel{}}},
		{By: []string{"job levels"}, Again: true,
			Facts: []event.Fact{customerLevelWasRecalculated{}, customerWasMovedToLevel{}, points.Facts.Reset}},
		{By: []string{"job points due"},
			Facts: []event.Fact{points.Facts.Unlocked, points.Facts.Expired, customerWasMovedToLevel{}}, Again: true},
	}
}
