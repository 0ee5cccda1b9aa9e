package customer

import (
	"time"

	"punchcard/api"
	"punchcard/platform/event"
	"punchcard/points"
	"punchcard/store"
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

// data is the customerData of registrations and changes.
type data struct {
	FirstName         string   `json:"firstName"`
	LastName          string   `json:"lastName"`
	Gender            string   `json:"gender"`
	Email             string   `json:"email,omitempty"`
	Phone             string   `json:"phone,omitempty"`
	BirthDate         string   `json:"birthDate,omitempty"`
	CreatedAt         string   `json:"createdAt"`
	LoyaltyCardNumber string   `json:"loyaltyCardNumber,omitempty"`
	Address           *Address `json:"address,omitempty"`
	Company           *Company `json:"company,omitempty"`
	Labels            []Label  `json:"labels,omitempty"`
	Agreement1        bool     `json:"agreement1"`
	Agreement2        bool     `json:"agreement2"`
	Agreement3        bool     `json:"agreement3"`
	Status            status   `json:"status"`
}

type status struct {
	Type string `json:"type"`
}

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

type customerWasActivated struct {
	Customer    Ref    `json:"customerId"`
	ActivatedAt string `json:"activatedAt"`
}

type customerWasDeactivated struct {
	Customer      Ref    `json:"customerId"`
	DeactivatedAt string `json:"deactivatedAt"`
}

// EventType implements event.Fact.
func (customerWasRegistered) EventType() string { return userPrefix + "CustomerWasRegistered" }

// EventType implements event.Fact.
func (customerWasAssignedToStore) EventType() string {
	return userPrefix + "CustomerWasAssignedToStore"
}

// EventType implements event.Fact.
func (accountWasCreated) EventType() string { return accountPrefix + "AccountWasCreated" }

// EventType implements event.Fact.
func (accountWasAssignedToStore) EventType() string {
	return accountPrefix + "AccountWasAssignedToStore"
}

// EventType implements event.Fact.
func (assignedAccountToCustomer) EventType() string { return userPrefix + "AssignedAccountToCustomer" }

// EventType implements event.Fact.
func (customerAddressWasUpdated) EventType() string { return userPrefix + "CustomerAddressWasUpdated" }

// EventType implements event.Fact.
func (customerCompanyDetailsWereUpdated) EventType() string {
	return userPrefix + "CustomerCompanyDetailsWereUpdated"
}

// EventType implements event.Fact.
func (customerLoyaltyCardNumberWasUpdated) EventType() string {
	return userPrefix + "CustomerLoyaltyCardNumberWasUpdated"
}

// EventType implements event.Fact.
func (customerWasMovedToLevel) EventType() string { return userPrefix + "CustomerWasMovedToLevel" }

// EventType implements event.Fact.
func (customerWasActivated) EventType() string { return userPrefix + "CustomerWasActivated" }

// EventType implements event.Fact.
func (customerWasDeactivated) EventType() string { return userPrefix + "CustomerWasDeactivated" }

// registered lists the events of a registration in the order of program-api 4.15.
func registered(s *store.Store, c *Customer, accountID string, now time.Time) []event.Entry {
	at, who, account := eventTime(s, now), Ref{c.ID}, points.AccountRef{AccountID: accountID}
	entries := []event.Entry{
		{AggregateID: c.ID, Fact: customerWasRegistered{who, c.data(s), at}},
		{AggregateID: c.ID, Fact: customerWasAssignedToStore{who, storeRef{s.ID}}},
		{AggregateID: accountID, Fact: accountWasCreated{account, who}},
		{AggregateID: accountID, Fact: accountWasAssignedToStore{account, storeRef{s.ID}}},
		{AggregateID: c.ID, Fact: assignedAccountToCustomer{who, account}},
	}
	add := func(fact event.Fact) { entries = append(entries, event.Entry{AggregateID: c.ID, Fact: fact}) }
	if c.Address != (Address{}) {
		add(customerAddressWasUpdated{who, c.Address, at})
	}
	if c.Company != (Company{}) {
		add(customerCompanyDetailsWereUpdated{who, c.Company, at})
	}
	if c.LoyaltyCard != "" {
		add(customerLoyaltyCardNumberWasUpdated{who, c.LoyaltyCard, at})
	}
	entries = append(entries, movedToLevel(s, c.ID, "", c.LevelID, now, c.ManualLevelID != ""))
	if c.IsActive() {
		add(customerWasActivated{who, at})
	}
	return entries
}

func movedToLevel(s *store.Store, id, from, to string, now time.Time, manually bool) event.Entry {
	fact := customerWasMovedToLevel{
		Customer: Ref{id}, Level: levelRef{to}, UpdateAt: eventTime(s, now), Manually: manually,
	}
	if from != "" {
		fact.OldLevel = &levelRef{from}
	}
	return event.Entry{AggregateID: id, Fact: fact}
}

func (c *Customer) data(s *store.Store) data {
	d := data{
		FirstName: c.FirstName, LastName: c.LastName, Gender: c.Gender, Email: c.Email, Phone: c.Phone,
		BirthDate: c.BirthDate, CreatedAt: eventTime(s, c.CreatedAt), LoyaltyCardNumber: c.LoyaltyCard,
		Labels: c.Labels, Agreement1: c.Agreements[0], Agreement2: c.Agreements[1], Agreement3: c.Agreements[2],
		Status: status{c.Status},
	}
	if c.Address != (Address{}) {
		d.Address = &c.Address
	}
	if c.Company != (Company{}) {
		d.Company = &c.Company
	}
	return d
}
