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

// change is a new password for the user of a token.
type change struct{ token, plain, hash string }

// newPassword reads a new password, and the token from the body or the query. The token is checked first.
var newPassword = api.Prepared(api.BodyInCall("reset", readReset, nil).DescribedAs(func(q *form.Group) {
	q.Verbatim("token")
}, func(g *form.Group) {
	g.Verbatim("token")
	readPlain(g.Group("reset"))
}), func(c *api.Call, in change) (_ change, err error) {
	in.hash, err = password.Hash(c.ClientContext(), in.plain)
	return in, err
})

func readReset(c *api.Call, g *form.Group) (in change, err error) {
	body, err := c.Body()
	if err != nil {
		return in, err
	}
	query, err := c.Query()
	if err != nil {
		return in, err
	}
	in.plain = readPlain(g)
	in.token = hashToken(cmp.Or(form.Read(body).Verbatim("token"), query.Child("token").Text()))
	return in, c.Read(func(tx *db.Tx) error {
		_, _, _, err := holder(c, tx, in.token)
		return err
	})
}

// resetPassword sets a new password for the user of a token, and ends everything that began with the former one: all
// sessions, other links, and changes of contacts. It does not activate a customer.
func (v *Verifier) resetPassword(w *api.Writing, in change) (success, error) {
	t, u, s, err := holder(w.Call, w.Tx, in.token)
	if err != nil {
		return success{}, err
	}
	return success{true}, v.replacePassword(w.Tx, s, u, t, in.hash)
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
