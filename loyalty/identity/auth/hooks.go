package auth

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Hooks are the functions of later features that log-ins and changes of passwords call. A nil hook does nothing.
type Hooks struct {
	// LoggedIn runs in the transaction of a customer's log-in, before the customer's row is locked.
	LoggedIn func(tx *db.Tx, s *store.Store, customerID string) error
	// PasswordChanged runs in the transaction in which a customer changes their password.
	PasswordChanged func(tx *db.Tx, s *store.Store, customerID string) error
}
