package customerapi

import (
	"maps"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
)

// heldContact is a new e-mail address or phone that the customer must confirm first.
type heldContact struct{ field, value string }

// holdContacts returns a customer's own change without the new contacts, if the store wants them confirmed. It fails if
// another customer has one of them.
func holdContacts(
	tx *db.Tx, s *store.Store, who *customer.Customer, change customer.Change,
) (rest customer.Change, held []heldContact, err error) {
	if !s.Settings.ConfirmContactChange {
		return change, nil, nil
	}
	for _, contact := range []struct{ field, present, sent string }{
		{"email", who.Email, keytext.Fold(change.Email)}, {"phone", who.Phone, change.Phone},
	} {
		if change.Sent[contact.field] && contact.sent != "" && contact.sent != contact.present {
			held = append(held, heldContact{contact.field, contact.sent})
		}
	}
	if len(held) == 0 {
		return change, nil, nil
	}
	changed := *who
	if err := change.Conflicts(tx, s, &changed); err != nil {
		return change, nil, err
	}
	rest = change
	rest.Sent = maps.Clone(change.Sent) // the operation may run again
	for _, contact := range held {
		delete(rest.Sent, contact.field)
	}
	return rest, held, nil
}
