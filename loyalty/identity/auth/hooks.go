package auth

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Hooks are the functions of later features that a log-in calls. A nil hook does nothing.
type Hooks struct {
	// LoggedIn runs in the transaction of a customer's log-in, before the customer's row is locked.
	LoggedIn func(tx *db.Tx, s *store.Store, customerID string) error
}
