package api

import (
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Guard checks changes of security settings: docs/behaviour/administrators.md#security-settings. It reads the caller's
// password from the group before the transaction, because hashing takes long. The operation calls changed in its
// transaction with the names of what changes. What stays as it is needs neither the permission nor the password.
type Guard func(c *Call, g *form.Group) (changed func(tx *db.Tx, what ...string) error, err error)

// ReadCurrentPassword reads the password by which callers confirm a change.
func ReadCurrentPassword(g *form.Group) string { return g.Verbatim("currentPassword") }

// Guarded is a form that may change security settings. The operation reads it, because what it may hold depends on the
// database.
type Guarded struct {
	// Form returns the form, unread.
	Form func() *form.Group
	// Confirm is called with the names of what changes.
	Confirm func(tx *db.Tx, what ...string) error
}

// Body reads what the guard needs of a form. describe describes the rest of the form.
func (guard Guard) Body(name string, describe func(g *form.Group)) Input[Guarded] {
	described := func(g *form.Group) {
		g = g.Group(name)
		describe(g)
		ReadCurrentPassword(g)
	}
	return Input[Guarded]{form: described, read: func(c *Call) (in Guarded, g *form.Group, err error) {
		body, err := c.Body()
		if err != nil {
			return in, nil, err
		}
		in.Form = func() *form.Group { return form.Read(body, name) }
		in.Confirm, err = guard(c, in.Form())
		return in, form.Read(nil), err
	}}
}
