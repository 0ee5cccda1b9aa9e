// Package privacy exports what the program stores about a customer, and erases their identity.
package privacy

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Hooks read and clear the data of features about customers. Package app sets them.
type Hooks struct {
	// Customers are the hooks of the endpoints of customers: they run for an anonymization too, and add to
	// the customer in the export.
	Customers customerapi.Hooks
	// UnlinkedTraces clear rows that mention a customer without being linked to them. They run before the
	// customer's identifiers are erased.
	UnlinkedTraces []UnlinkedTrace
	// Traces clear what features store about an anonymized customer.
	Traces []Trace
	// Sections read the data of features about a customer, for the data export.
	Sections Sections[Page]
	// EndSessions ends all sessions of a customer except keep.
	EndSessions func(tx *db.Tx, id, keep string) error
	// Confirm reports whether a text is the caller's password. A wrong one becomes an error of the form.
	Confirm func(c *api.Call, g *form.Group, given string) (bool, error)
	// Leaving runs after a customer deleted their account, in the same transaction. It is erased at the moment.
	Leaving func(tx *db.Tx, s *store.Store, c *customer.Customer, at time.Time) error
}

// Trace clears what a feature stores about a customer besides the id, one page at a time. It continues after
// a key, which is empty for the first page, and returns the next key, which is empty after the last page.
// Clearing the same rows twice has no further effect.
type Trace func(tx *db.Tx, s *store.Store, customerID, after string) (next string, err error)

// UnlinkedTrace clears rows that mention a customer without being linked to them, such as unmatched receipts.
// It works in pages as a Trace does, and receives the identifiers before they are erased.
type UnlinkedTrace func(tx *db.Tx, s *store.Store, known *Identifiers, after string) (next string, err error)

// Sections are the lists of the data export that follow the customer and the balance, one for each feature. T is what
// there is of each: the function that reads it, or its items.
type Sections[T any] struct {
	Transfers         T `json:"transfers"`
	Purchases         T `json:"purchases"`
	Cashbacks         T `json:"cashbacks"`
	Transactions      T `json:"transactions"`
	EarningRuleUses   T `json:"earningRuleUses"`
	EarningEvents     T `json:"earningEvents"`
	Notifications     T `json:"notifications"`
	Invitations       T `json:"invitations"`
	Events            T `json:"events"`
	TransactionEvents T `json:"transactionEvents"`
	PushTokens        T `json:"pushTokens"`
	PushSubscriptions T `json:"pushSubscriptions"`
	Messages          T `json:"messages"`
	ContactChanges    T `json:"contactChanges"`
	Notes             T `json:"notes"`
	Merges            T `json:"merges"`
	Journeys          T `json:"journeys"`
	Passkeys          T `json:"passkeys"`
	Reservations      T `json:"reservations"`
}

// Page reads one page of a section. It continues after a key, which is empty for the first page, and returns the next
// key, which is empty after the last page.
type Page func(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error)
