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
