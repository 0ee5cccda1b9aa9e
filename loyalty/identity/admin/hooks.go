package admin

import "punchcard/platform/db"

// Hooks act on the sessions of administrators.
type Hooks struct {
	// EndSessions ends all sessions of an administrator except the one with the id keep. It runs in the
	// transaction of the change that requires a new log-in.
	EndSessions func(tx *db.Tx, adminID, keep string) error
	// RightsChanged runs after the commit of a change of an administrator, or of their role.
	RightsChanged func(adminID string)
	// AccessChanged runs after a change of an administrator, in its transaction. Nil is skipped.
	AccessChanged func(tx *db.Tx, before, after *Administrator) error
}
