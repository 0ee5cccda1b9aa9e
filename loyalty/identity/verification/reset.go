package verification

import (
	"cmp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// readPlain reads a new password.
func readPlain(g *form.Group) string {
	plain := g.Verbatim("plainPassword", form.NotBlank)
	if plain != "" {
		for _, problem := range password.Problems(plain, false) {
			g.AddError("plainPassword", problem)
		}
	}
	return plain
}

func describeReset(g *form.Group) {
	g.Verbatim("token")
	readPlain(g.Group("reset"))
}

// resetPassword sets a new password for the user of a token, and ends everything that began with the former one: all
// sessions, other links, and changes of contacts. It does not activate a customer.
func (v *Verifier) resetPassword(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	query, err := c.Query()
	if err != nil {
		return err
	}
	group := form.Read(body, "reset")
	plain := readPlain(group)
	hash := hashToken(cmp.Or(form.Read(body).Verbatim("token"), query.Child("token").Text()))
	err = c.Read(func(tx *db.Tx) error {
		_, _, _, err := holder(c, tx, hash)
		return err
	})
	if err != nil {
		return err
	}
	if err := group.Err(); err != nil {
		return err
	}
	hashed, err := password.Hash(c.ClientContext(), plain)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		t, u, s, err := holder(c, tx, hash)
		if err != nil {
			return err
		}
		return v.replacePassword(tx, s, u, t, hashed)
	}, func() error { return c.OK(success{true}) })
}

// holder finds the user of a token for a reset, which must have been sent to an address that the user still has. The
// store is nil for administrators.
func holder(c *api.Call, tx *db.Tx, hash string) (t token, u *user, s *store.Store, err error) {
	t, found, err := findToken(tx, hash)
	if err == nil && (!found || t.purpose != reset && t.purpose != invitation || t.isCode) {
		err = errUnknownLink
	}
	if err == nil {
		err = t.live(tx.ServerNow())
	}
	if err == nil && t.storeKey != 0 {
		if s, found, err = c.Stores().ByKey(c.Context(), t.storeKey); err == nil && !(found && s.Active) {
			err = errUnknownLink
		}
	}
	if err != nil {
		return t, nil, nil, err
	}
	u, found, err = findUser(tx, t.role, t.storeKey, t.userID)
	if err == nil && !(found && u.mayUse(t.purpose) && (t.sentTo(u.email) || t.sentTo(u.phone))) {
		err = errUnknownLink
	}
	return t, u, s, err
}

func (v *Verifier) replacePassword(tx *db.Tx, s *store.Store, u *user, t token, hash string) error {
	changed, err := u.setPassword(tx, hash)
	if err == nil && changed {
		changed, err = useToken(tx, t.hash)
	}
	if err == nil && !changed { // a concurrent request was first
		err = errUsedLink
	}
	if err != nil {
		return err
	}
	for _, purpose := range []string{reset, contact, invitation} {
		if err := deleteTokens(tx, u.id, purpose, t.hash); err != nil {
			return err
		}
	}
	if err := feature.React(tx, s, access.SessionsEnded{UserID: u.id}); err != nil || u.role != access.Customer {
		return err
	}
	if err := deleteChanges(tx, s.Key, u.id); err != nil {
		return err
	}
	if err := passwordReset(tx, s, u); err != nil {
		return err
	}
	return notifyPasswordChanged(tx, s, auth.PasswordChanged{CustomerID: u.id})
}

// notifyPasswordChanged tells a customer that their password was changed, in case that it was not them.
func notifyPasswordChanged(tx *db.Tx, s *store.Store, e auth.PasswordChanged) error {
	u, found, err := findUser(tx, access.Customer, s.Key, e.CustomerID)
	if err != nil || !found {
		return err
	}
	return message.Queue(tx, s, u.message(s, template.PasswordChanged))
}
