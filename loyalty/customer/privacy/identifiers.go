package privacy

import (
	"encoding/json"
	"slices"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// forgetEvents empties the personal members of a customer's events. The members stay, so that the payloads
// keep their shape.
func forgetEvents(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	return "", event.Rewrite(tx, s.Key, customer.PersonalEvents, customerID)
}

// identifiersOf reads the present identifiers of a customer, and the former ones from their events.
func identifiersOf(tx *db.Tx, who *customer.Customer) (*feature.Identifiers, error) {
	known := &feature.Identifiers{ID: who.ID, Names: []string{who.FirstName, who.LastName}}
	addTo(known, who.Email, who.Phone, who.LoyaltyCard)
	const eventBatch = 500
	for last, n := int64(0), eventBatch; n == eventBatch; {
		entries, err := event.About(tx, who.StoreKey, last, eventBatch, who.ID)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			last = entries[i].ID
			if _, personal := customer.PersonalEvents[entries[i].Type]; !personal {
				continue
			}
			var e struct { // the union of the payloads
				CustomerData struct{ Email, Phone, LoyaltyCardNumber string }
				CardNumber   string
			}
			if err := json.Unmarshal(entries[i].Payload, &e); err != nil {
				return nil, err
			}
			addTo(known, e.CustomerData.Email, e.CustomerData.Phone, e.CustomerData.LoyaltyCardNumber)
			addTo(known, "", "", e.CardNumber)
		}
		n = len(entries)
	}
	return known, nil
}

func addTo(k *feature.Identifiers, email, phone, card string) {
	for _, known := range []struct {
		to   *[]string
		text string
	}{{&k.Emails, email}, {&k.Phones, phone}, {&k.Cards, card}} {
		if known.text != "" && !slices.Contains(*known.to, known.text) {
			*known.to = append(*known.to, known.text)
		}
	}
}
