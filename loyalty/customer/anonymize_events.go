package customer

import (
	"encoding/json"
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

type customerWasAnonymized struct {
	Customer Ref `json:"customerId"`
}

func (customerWasAnonymized) EventType() string { return userPrefix + "CustomerWasAnonymized" }

// forgetEvents empties the personal members of a customer's events. The members stay, so that the payloads
// keep their shape.
func forgetEvents(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	return "", event.Rewrite(tx, s.Key, PersonalEvents, customerID)
}

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

// identifiersOf reads the present identifiers of a customer, and the former ones from their events.
func identifiersOf(tx *db.Tx, who *Customer) (*Identifiers, error) {
	known := &Identifiers{ID: who.ID}
	known.add(who.Email, who.Phone, who.LoyaltyCard)
	const eventBatch = 500
	for last, n := int64(0), eventBatch; n == eventBatch; {
		entries, err := event.About(tx, who.StoreKey, last, eventBatch, who.ID)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			last = entries[i].ID
			if _, personal := PersonalEvents[entries[i].Type]; !personal {
				continue
			}
			var e struct { // the union of the payloads
				CustomerData struct{ Email, Phone, LoyaltyCardNumber string }
				CardNumber   string
			}
			if err := json.Unmarshal(entries[i].Payload, &e); err != nil {
				return nil, err
			}
			known.add(e.CustomerData.Email, e.CustomerData.Phone, e.CustomerData.LoyaltyCardNumber)
			known.add("", "", e.CardNumber)
		}
		n = len(entries)
	}
	return known, nil
}

func (k *Identifiers) add(email, phone, card string) {
	for _, known := range []struct {
		to   *[]string
		text string
	}{{&k.Emails, email}, {&k.Phones, phone}, {&k.Cards, card}} {
		if known.text != "" && !slices.Contains(*known.to, known.text) {
			*known.to = append(*known.to, known.text)
		}
	}
}

func (d *data) forget() {
	d.FirstName, d.LastName, d.Gender, d.Email, d.Phone, d.BirthDate = "", "", undisclosed, "", "", ""
	d.LoyaltyCardNumber, d.Address, d.Company, d.Labels = "", nil, nil, nil
}

func (d *changedData) forget() {
	for _, text := range []*string{d.FirstName, d.LastName, d.Email, d.Phone, d.BirthDate, d.LoyaltyCardNumber} {
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
