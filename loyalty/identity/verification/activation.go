package verification

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// greet sends a new customer the activation message. A customer whom staff registered is active and gets a
// temporary password instead.
func greet(tx *db.Tx, s *store.Store, added ...*customer.Customer) error {
	var all []message.Message
	for _, c := range added {
		u := ofCustomer(c)
		switch {
		case c.Status == customer.New:
			all = append(all, u.activation(s, false))
		case c.PasswordTemporary:
			all = append(all, u.message(s, template.TemporaryPassword))
		}
	}
	return message.Queue(tx, s, all...)
}

// activate activates the customer of a link.
func (v *Verifier) activate(w *api.Writing) (api.Nothing, error) {
	t, found, err := findToken(w.Tx, hashToken(w.PathValue("token")))
	if err == nil && (!found || t.isCode || t.purpose != activation || t.storeKey != w.Store.Key) {
		err = errUnknownLink
	}
	if err == nil {
		err = t.live(w.Tx.ServerNow())
	}
	if err != nil {
		return api.Nothing{}, err
	}
	return api.Nothing{}, v.activateBy(w.Tx, w.Store, &t, errUnknownLink, errUsedLink)
}

// activateBy activates the customer of a token, and verifies the contact that the token was sent to. The token is
// unknown if the customer has another contact now.
func (v *Verifier) activateBy(tx *db.Tx, s *store.Store, t *token, unknown, used error) error {
	who, _, err := customer.Lock(tx, s, t.userID)
	if err != nil {
		return err
	}
	before := *who
	byEmail, byPhone := t.sentTo(who.Email), t.sentTo(who.Phone)
	if !byEmail && !byPhone {
		return unknown
	}
	if who.Status != customer.New {
		return used
	}
	if first, err := useToken(tx, t.hash); err != nil || !first {
		return orElse(err, used)
	}
	who.EmailVerified, who.PhoneVerified = who.EmailVerified || byEmail, who.PhoneVerified || byPhone
	if err := customer.ActivateNew(tx, s, who); err != nil {
		return err
	}
	return feature.React(tx, s, customer.Changed{Before: &before, After: who})
}

// orElse returns the error, or the other one if there is none.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

func readPhone(g *form.Group) string { return g.Key("phone") }

// attempt is an attempt at a code, which is counted. With the phone in the body it counts for the customer; without it,
// for the store.
type attempt struct {
	byPhone  bool
	who      *customer.Customer // of the phone
	giveBack func()
}

// activateByCode activates the customer of a code.
func (v *Verifier) activateByCode(w *api.Writing, by attempt) (api.NoContent, error) {
	hash := hashCode(activation, w.Store.Key, "", keytext.Clean(w.PathValue("token")))
	t, found, err := findToken(w.Tx, hash)
	known := found && t.purpose == activation && t.storeKey == w.Store.Key && t.isLiveCode(w.Tx.ServerNow())
	if err == nil && (!known || by.byPhone && t.userID != by.who.ID) {
		err = errBadCode
	}
	if err != nil {
		return api.NoContent{}, err
	}
	w.Then(by.giveBack)
	return api.NoContent{}, v.activateBy(w.Tx, w.Store, &t, errBadCode, errBadCode)
}

// countCode counts an attempt at a code before it is checked, so that concurrent attempts cannot exceed a limit.
func (v *Verifier) countCode(c *api.Call, phone string) (by attempt, err error) {
	now, address := c.DB().Now(), c.ClientNetwork()
	if err := c.Take(v.Codes, address); err != nil {
		return by, err
	}
	by.giveBack = func() { v.Codes.GiveBack(address, now) }
	if by.byPhone = phone != ""; by.byPhone {
		by.who, err = countPhone(c, phone)
		return by, err
	}
	if err := c.Take(v.StoreCodes, c.Store.ID); err != nil {
		return by, err
	}
	by.giveBack = func() { v.Codes.GiveBack(address, now); v.StoreCodes.GiveBack(c.Store.ID, now) }
	return by, nil
}

// countPhone finds the customer of a phone, and counts the attempt at their codes. It commits by itself, because the
// count stays when the code is refused. The customer has no id if nobody has the phone.
func countPhone(c *api.Call, phone string) (who *customer.Customer, err error) {
	err = store.Write(c.Context(), c.DB(), c.Store, func(tx *db.Tx) (err error) {
		var found bool
		if who, found, err = customer.FindByPhone(tx, c.Store.Key, phone); err == nil && !found {
			who = &customer.Customer{}
		}
		if err == nil {
			err = countAttempt(tx, who.ID, activation)
		}
		return err
	})
	return who, err
}

// requestActivation sends the activation message again, to whom it may concern.
func requestActivation(w *api.Writing, r request) (success, error) {
	return success{true}, sendActivation(w.Tx, r, false)
}

// requestCode sends the code by SMS to the customer of a phone.
func requestCode(w *api.Writing, r request) (api.Nothing, error) {
	return api.Nothing{}, sendActivation(w.Tx, r, true)
}

// sendActivation sends the message if a customer who waits for activation has the name. It does the same work if not.
func sendActivation(tx *db.Tx, r request, bySMS bool) error {
	u, found, err := findByName(tx, access.Customer, r.store.Key, r.name)
	if err != nil {
		return err
	}
	sent, err := countRequest(tx, requestHash(activation, access.Customer, r.store.Key, u, r.name))
	if err != nil {
		return err
	}
	m := message.Message{Event: template.CustomerActivation}
	if found && u.isNew && sent <= MessagesPerHour {
		m = u.activation(r.store, bySMS)
	}
	return message.Queue(tx, r.store, m)
}
