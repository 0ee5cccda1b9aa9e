package verification

import (
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// RequestChange stores the new contact of a customer, and sends a link or a code to it. It becomes the customer's when
// they confirm it. Links that were sent to an earlier one stop working.
func RequestChange(tx *db.Tx, s *store.Store, e customer.ContactHeld) error {
	who, field, value := e.Customer, e.Field, e.Value
	u := ofCustomer(who)
	if err := countMessage(tx, u, contact); err != nil {
		return err
	}
	waiting := Change{storeKey: s.Key, customerID: who.ID, Field: field, Value: value, RequestedAt: tx.ServerNow()}
	if err := putChange(tx, &waiting); err != nil {
		return err
	}
	m := u.message(s, template.ContactChange)
	m.Values["new_contact"], m.Email, m.Phone = value, "", ""
	if field == fieldPhone {
		m.Phone = value
	} else {
		m.Email = value
	}
	return message.Queue(tx, s, m)
}

const (
	fieldEmail = "email"
	fieldPhone = "phone"
)

// confirmation is a link or a code by which a customer confirms a contact, and its errors.
type confirmation struct {
	hash          string
	unknown, used error
}

// readConfirmation reads the link or the code of the path. Attempts at a code count.
func readConfirmation(c *api.Call) (confirmation, error) {
	text := c.PathValue("token")
	if !isCode(text) {
		return confirmation{hashToken(text), errUnknownLink, errUsedLink}, nil
	}
	by := confirmation{hashCode(contact, c.Caller.StoreKey, c.Caller.ID, text), errBadCode, errBadCode}
	return by, store.Write(c.Context(), c.DB(), c.Store, func(tx *db.Tx) error {
		return countAttempt(tx, c.Caller.ID, contact) // commits by itself, because the count stays
	})
}

// confirmChange gives the calling customer the contact that a link or a code was sent to.
func (v *Verifier) confirmChange(w *api.Writing, by confirmation) (none api.NoContent, err error) {
	who, _, err := customer.Lock(w.Tx, w.Store, w.Caller.ID)
	if err != nil {
		return none, err
	}
	t, found, err := findToken(w.Tx, by.hash)
	switch {
	case err != nil:
		return none, err
	case !found || t.purpose != contact || t.userID != who.ID || t.isCode && !t.isLiveCode(w.Tx.ServerNow()):
		return none, by.unknown
	}
	if err := t.live(w.Tx.ServerNow()); err != nil {
		return none, err
	}
	waiting, found, err := changeOf(w.Tx, &t)
	if err != nil || !found {
		return none, orElse(err, by.unknown)
	}
	if first, err := useToken(w.Tx, by.hash); err != nil || !first {
		return none, orElse(err, by.used)
	}
	w.Explain(func(err error) error {
		return customerapi.ExplainConflict(w.Call, err, w.Caller.ID, waiting.change(), form.Read(nil))
	})
	return none, v.applyChange(w.Tx, w.Store, who, waiting)
}

// changeOf finds the waiting contact that a token was sent to.
func changeOf(tx *db.Tx, t *token) (*Change, bool, error) {
	waiting, err := changesOf(tx, t.storeKey, t.userID)
	for i := range waiting {
		if t.sentTo(waiting[i].Value) {
			return &waiting[i], true, err
		}
	}
	return nil, false, err
}

// change returns the change of a customer to the waiting contact.
func (c *Change) change() customer.Change {
	change := customer.Change{Sent: map[string]bool{c.Field: true}}
	change.Email, change.Phone = c.Value, c.Value // of which Sent chooses one
	return change
}

func (v *Verifier) applyChange(tx *db.Tx, s *store.Store, who *customer.Customer, waiting *Change) error {
	before := *who
	if err := customer.Update(tx, s, who, waiting.change()); err != nil {
		return err
	}
	if err := deleteChange(tx, waiting); err != nil {
		return err
	}
	if err := contactChanged(tx, s, customer.ContactChanged{Before: &before, After: who}); err != nil {
		return err
	}
	return feature.React(tx, s, customer.Changed{Before: &before, After: who})
}

type exportedChange struct {
	Field       string `json:"field"`
	Value       string `json:"value"`
	RequestedAt string `json:"requestedAt"`
}

// ExportChanges lists the contacts of a customer that wait for confirmation, for the export of their data.
func ExportChanges(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	waiting, err := changesOf(tx, s.Key, customerID)
	for _, w := range waiting {
		items = append(items, exportedChange{w.Field, w.Value, api.Timestamp(w.RequestedAt, s.Zone)})
	}
	return items, "", err
}

// Forget deletes the secrets, the waiting and the former contacts of a customer. It is a feature.Trace, and needs one
// step only.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	if err := deleteAllTokens(tx, customerID); err != nil {
		return "", err
	}
	if err := deleteAccessChanges(tx, s.Key, customerID); err != nil {
		return "", err
	}
	return "", deleteChanges(tx, s.Key, customerID)
}
