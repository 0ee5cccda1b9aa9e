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
func greet(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	u := ofCustomer(c)
	switch {
	case c.Status == customer.New:
		return message.Queue(tx, s, u.activation(s, false))
	case c.PasswordTemporary:
		return message.Queue(tx, s, u.message(s, template.TemporaryPassword))
	}
	return nil
}

// activate activates the customer of a link.
func (v *Verifier) activate(c *api.Call) error {
	hash := hashToken(c.PathValue("token"))
	return c.Write(func(tx *db.Tx) error {
		t, found, err := findToken(tx, hash)
		if err == nil && (!found || t.isCode || t.purpose != activation || t.storeKey != c.Store.Key) {
			err = errUnknownLink
		}
		if err == nil {
			err = t.live(tx.ServerNow())
		}
		if err != nil {
			return err
		}
		return v.activateBy(tx, c.Store, &t, errUnknownLink, errUsedLink)
	}, c.Done)
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

// activateByCode activates the customer of a code. With the phone in the body, attempts are counted for the customer;
// without it, for the store.
func (v *Verifier) activateByCode(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	digits, phone := keytext.Clean(c.PathValue("token")), readPhone(form.Read(body))
	giveBack, err := v.countCode(c, phone == "")
	if err != nil {
		return err
	}
	var who *customer.Customer
	if phone != "" {
		if who, err = countPhone(c, phone); err != nil {
			return err
		}
	}
	err = c.Write(func(tx *db.Tx) error {
		t, found, err := findToken(tx, hashCode(activation, c.Store.Key, "", digits))
		known := found && t.purpose == activation && t.storeKey == c.Store.Key && t.isLiveCode(tx.ServerNow())
		if err == nil && (!known || phone != "" && t.userID != who.ID) {
			err = errBadCode
		}
		if err != nil {
			return err
		}
		return v.activateBy(tx, c.Store, &t, errBadCode, errBadCode)
	}, c.NoContent)
	if err == nil {
		giveBack()
	}
	return err
}

// countCode counts an attempt at a code before it is checked, so that concurrent attempts cannot exceed a limit.
func (v *Verifier) countCode(c *api.Call, anybody bool) (giveBack func(), err error) {
	now, address := c.DB().Now(), c.ClientNetwork()
	if err := c.Take(v.Codes, address); err != nil {
		return nil, err
	}
	if !anybody {
		return func() { v.Codes.GiveBack(address, now) }, nil
	}
	if err := c.Take(v.StoreCodes, c.Store.ID); err != nil {
		return nil, err
	}
	return func() { v.Codes.GiveBack(address, now); v.StoreCodes.GiveBack(c.Store.ID, now) }, nil
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
func (v *Verifier) requestActivation(c *api.Call) error {
	name, s, err := readRequest(c)
	if err != nil {
		return err
	}
	return v.sendActivation(c, s, name, false, func() error { return c.OK(success{true}) })
}

// requestCode sends the code by SMS to the customer of a phone.
func (v *Verifier) requestCode(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	return v.sendActivation(c, c.Store, readPhone(form.Read(body)), true, c.Done)
}

// sendActivation sends the message if a customer who waits for activation has the name. It does the same work if not.
func (v *Verifier) sendActivation(c *api.Call, s *store.Store, name string, bySMS bool, respond func() error) error {
	if v.isLimited(c) {
		return respond()
	}
	return c.Write(func(tx *db.Tx) error {
		u, found, err := findByName(tx, access.Customer, s.Key, name)
		if err != nil {
			return err
		}
		sent, err := countRequest(tx, requestHash(activation, access.Customer, s.Key, u, name))
		if err != nil {
			return err
		}
		m := message.Message{Event: template.CustomerActivation}
		if found && u.isNew && sent <= MessagesPerHour {
			m = u.activation(s, bySMS)
		}
		return message.Queue(tx, s, m)
	}, respond)
}
