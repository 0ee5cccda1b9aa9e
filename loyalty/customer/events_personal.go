package customer

import (
	"punchcard/platform/event"
)

type customerWasAnonymized struct {
	Customer Ref `json:"customerId"`
}

func (customerWasAnonymized) EventType() string { return userPrefix + "CustomerWasAnonymized" }

// PersonalEvents are the events of customers that hold personal data, with the edit that clears it.
var PersonalEvents = map[string]event.Edit{
	customerWasRegistered{}.EventType(): event.Editing(func(e *customerWasRegistered) { e.CustomerData.forget() }),
	customerDetailsWereUpdated{}.EventType(): event.Editing(func(e *customerDetailsWereUpdated) {
		e.CustomerData.forget()
	}),
	customerAddressWasUpdated{}.EventType(): event.Editing(func(e *customerAddressWasUpdated) {
		e.Address = Address{}
	}),
	customerCompanyDetailsWereUpdated{}.EventType(): event.Editing(func(e *customerCompanyDetailsWereUpdated) {
		e.Company = Company{}
	}),
	customerLoyaltyCardNumberWasUpdated{}.EventType(): event.Editing(func(e *customerLoyaltyCardNumberWasUpdated) {
		e.CardNumber = ""
	}),
}

func (d *data) forget() {
	d.FirstName, d.LastName, d.Gender, d.Email, d.Phone, d.BirthDate = "", "", undisclosed, "", "", ""
	d.LoyaltyCardNumber, d.Address, d.Company, d.Labels, d.Locale = "", nil, nil, nil, ""
}

func (d *changedData) forget() {
	for _, text := range []*string{d.FirstName, d.LastName, d.Email, d.Phone, d.BirthDate, d.LoyaltyCardNumber, d.Locale} {
		if text != nil {
			*text = ""
		}
	}
	if d.Gender != nil {
		*d.Gender = undisclosed
	}
	if d.Address != nil {
		d.Address = &Address{}
	}
	if d.Company != nil {
		d.Company = &Company{}
	}
	if d.Labels != nil {
		d.Labels = &[]Label{}
	}
}
