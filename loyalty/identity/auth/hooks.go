package auth

import (
	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/identity/factor"
	"punchcard/platform/db"
)

// Hooks are the functions of later features that log-ins and changes of passwords call. A nil hook does nothing.
type Hooks struct {
	// MayUsePassword refuses the log-in of an administrator or seller who has given the right password.
	MayUsePassword func(tx *db.Tx, who *access.Caller) error
	// LoggedIn runs in the transaction of a customer's log-in, before the customer's row is locked.
	LoggedIn func(tx *db.Tx, s *store.Store, customerID string) error
	// PasswordChanged runs in the transaction in which a customer changes their password.
	PasswordChanged func(tx *db.Tx, s *store.Store, customerID string) error
	// FactorsRemoved runs in the transaction in which somebody else removes the second factors of a person.
	FactorsRemoved func(tx *db.Tx, of factor.Account) error
	// CodesLocked runs in the transaction of the wrong code that locks the codes of an account.
	CodesLocked func(tx *db.Tx, of factor.Account) error
}

// of returns the hooks of log-ins of a role.
func (h Hooks) of(role access.Role) Hooks {
	if role != access.Customer {
		return Hooks{MayUsePassword: h.MayUsePassword}
	}
	h.MayUsePassword = nil
	return h
}
