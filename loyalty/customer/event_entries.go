package customer

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

// data is the customerData of a registration event.
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
	Locale            string   `json:"locale,omitempty"`
	Agreement1        bool     `json:"agreement1"`
	Agreement2        bool     `json:"agreement2"`
	Agreement3        bool     `json:"agreement3"`
	Status            status   `json:"status"`
}

type status struct {
	Type string `json:"type"`
}

// EventFields returns the fields of a customer as the event of a registration has them.
func (c *Customer) EventFields(s *store.Store) any { return c.data(s) }

func (c *Customer) data(s *store.Store) data {
	d := data{
		FirstName: c.FirstName, LastName: c.LastName, Gender: c.Gender, Email: c.Email, Phone: c.Phone,
		BirthDate: c.BirthDate, CreatedAt: eventTime(s, c.CreatedAt), LoyaltyCardNumber: c.LoyaltyCard,
		Labels: c.Labels, Locale: c.Locale,
		Agreement1: c.Agreements[0], Agreement2: c.Agreements[1], Agreement3: c.Agreements[2],
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

// changedData is the customerData of a change event: only the members that changed. A text that was cleared
// is empty.
type changedData struct {
	FirstName         *string  `json:"firstName,omitempty"`
	LastName          *string  `json:"lastName,omitempty"`
	Gender            *string  `json:"gender,omitempty"`
	Email             *string  `json:"email,omitempty"`
	Phone             *string  `json:"phone,omitempty"`
	BirthDate         *string  `json:"birthDate,omitempty"`
	CreatedAt         *string  `json:"createdAt,omitempty"`
	LoyaltyCardNumber *string  `json:"loyaltyCardNumber,omitempty"`
	Address           *Address `json:"address,omitempty"`
	Company           *Company `json:"company,omitempty"`
	Labels            *[]Label `json:"labels,omitempty"`
	Locale            *string  `json:"locale,omitempty"`
	Agreement1        *bool    `json:"agreement1,omitempty"`
	Agreement2        *bool    `json:"agreement2,omitempty"`
	Agreement3        *bool    `json:"agreement3,omitempty"`
}

type customerDetailsWereUpdated struct {
	Customer     Ref         `json:"customerId"`
	CustomerData changedData `json:"customerData"`
	UpdateAt     string      `json:"updateAt"`
}

// ifChanged returns after, or nil if the values are equal.
func ifChanged[T comparable](before, after *T) *T {
	if *before == *after {
		return nil
	}
	return after
}

func changedDataOf(s *store.Store, before, after *Customer) changedData {
	d := changedData{
		FirstName: ifChanged(&before.FirstName, &after.FirstName), LastName: ifChanged(&before.LastName, &after.LastName),
		Gender: ifChanged(&before.Gender, &after.Gender), Email: ifChanged(&before.Email, &after.Email),
		Phone: ifChanged(&before.Phone, &after.Phone), BirthDate: ifChanged(&before.BirthDate, &after.BirthDate),
		LoyaltyCardNumber: ifChanged(&before.LoyaltyCard, &after.LoyaltyCard),
		Locale:            ifChanged(&before.Locale, &after.Locale),
		Address:           ifChanged(&before.Address, &after.Address), Company: ifChanged(&before.Company, &after.Company),
		Agreement1: ifChanged(&before.Agreements[0], &after.Agreements[0]),
		Agreement2: ifChanged(&before.Agreements[1], &after.Agreements[1]),
		Agreement3: ifChanged(&before.Agreements[2], &after.Agreements[2]),
	}
	was, is := eventTime(s, before.CreatedAt), eventTime(s, after.CreatedAt)
	d.CreatedAt = ifChanged(&was, &is)
	if !slices.Equal(before.Labels, after.Labels) {
		labels := append([]Label{}, after.Labels...)
		d.Labels = &labels
	}
	return d
}

// registrationEvents returns the events of a registration. Receivers rely on their order.
func registrationEvents(s *store.Store, c *Customer, accountID string, now time.Time) []event.Entry {
	at, who, account := eventTime(s, now), Ref{c.ID}, points.AccountRef{AccountID: accountID}
	entries := []event.Entry{
		{AggregateID: c.ID, Fact: customerWasRegistered{who, c.data(s), at}},
		{AggregateID: c.ID, Fact: customerWasAssignedToStore{who, storeRef{s.ID}}},
		{AggregateID: accountID, Fact: accountWasCreated{account, who}},
		{AggregateID: accountID, Fact: accountWasAssignedToStore{account, storeRef{s.ID}}},
		{AggregateID: c.ID, Fact: assignedAccountToCustomer{who, account}},
	}
	entries = append(entries, c.parts(at, map[string]bool{
		"address": c.Address != (Address{}), "company": c.Company != (Company{}),
		"loyaltyCardNumber": c.LoyaltyCard != "", "posId": true, "sellerId": true,
	})...)
	entries = append(entries, movedToLevel(s, c.ID, "", Move{To: c.LevelID, byHand: c.ManualLevelID != ""}, now))
	if c.IsActive() {
		entries = append(entries, event.Entry{AggregateID: c.ID, Fact: customerWasActivated{who, at}})
	}
	return entries
}

// changeEvents returns the events of a change of the fields that were sent.
func changeEvents(s *store.Store, before, after *Customer, sent map[string]bool, now time.Time) []event.Entry {
	at := eventTime(s, now)
	return append([]event.Entry{detailsUpdated(s, before, after, now)}, after.parts(at, sent)...)
}

func detailsUpdated(s *store.Store, before, after *Customer, now time.Time) event.Entry {
	return event.Entry{AggregateID: after.ID, Fact: customerDetailsWereUpdated{
		Ref{after.ID}, changedDataOf(s, before, after), eventTime(s, now),
	}}
}

// parts returns the events of those sent fields that have an event of their own.
func (c *Customer) parts(at string, sent map[string]bool) []event.Entry {
	who := Ref{c.ID}
	var entries []event.Entry
	for _, part := range []struct {
		include bool
		fact    event.Fact
	}{
		{sent["address"], customerAddressWasUpdated{who, c.Address, at}},
		{sent["company"], customerCompanyDetailsWereUpdated{who, c.Company, at}},
		{sent["loyaltyCardNumber"], customerLoyaltyCardNumberWasUpdated{who, c.LoyaltyCard, at}},
		{sent["posId"] && c.POSID != "", posWasAssignedToCustomer{who, posRef{c.POSID}, at}},
		{sent["sellerId"] && c.SellerID != "", sellerWasAssignedToCustomer{who, sellerRef{c.SellerID}, at}},
	} {
		if part.include {
			entries = append(entries, event.Entry{AggregateID: c.ID, Fact: part.fact})
		}
	}
	return entries
}

func movedToLevel(s *store.Store, id, from string, m Move, now time.Time) event.Entry {
	fact := customerWasMovedToLevel{
		Customer: Ref{id}, Level: levelRef{m.To}, UpdateAt: eventTime(s, now), Manually: m.byHand,
		RemoveLevelManually: m.Release,
	}
	if from != "" {
		fact.OldLevel = &levelRef{from}
	}
	return event.Entry{AggregateID: id, Fact: fact}
}

// LevelRecalculated returns the event of a recalculation of a customer's level.
func LevelRecalculated(s *store.Store, id string, now time.Time) event.Entry {
	return event.Entry{AggregateID: id, Fact: customerLevelWasRecalculated{Ref{id}, eventTime(s, now)}}
}
