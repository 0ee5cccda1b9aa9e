package auth

import (
	"punchcard/core/access"
	"punchcard/loyalty/identity/factor"
)

// What later features react to. An error refuses the log-in or the change.
type (
	// PasswordUsed is the log-in of an administrator or seller with the right password.
	PasswordUsed struct{ Caller *access.Caller }
	// LoggedIn is the log-in of a customer, whose row is not locked yet.
	LoggedIn struct{ CustomerID string }
	// PasswordChanged is a new password that a customer has chosen.
	PasswordChanged struct{ CustomerID string }
	// FactorsRemoved is the removal of somebody's second factors by somebody else.
	FactorsRemoved struct{ Account factor.Account }
	// CodesLocked is the wrong code that locks the codes of an account.
	CodesLocked struct{ Account factor.Account }
)
