// Package privacy exports what the program stores about a customer, and erases their identity.
package privacy

import (
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Hooks are what features store about customers, and how they clear it. Package app sets them.
type Hooks struct {
	// Customers are the hooks of the endpoints of customers: they run for an anonymization too, and add to
	// the customer in the export.
	Customers customerapi.Hooks
	// UnlinkedTraces clear rows that mention a customer without being linked to them. They run before the
	// customer's identifiers are erased.
	UnlinkedTraces []UnlinkedTrace
	// Traces clear what features store about an anonymized customer.
	Traces []Trace
	// Sections are what features store about a customer, for the data export.
	Sections []Section
	// EndSessions ends all sessions of a customer except keep.
	EndSessions func(tx *db.Tx, id, keep string) error
}

// Trace clears what a feature stores about a customer besides the id, one page at a time. It continues after
// a key, which is empty for the first page, and returns the next key, which is empty after the last page.
// Clearing the same rows twice has no further effect.
type Trace func(tx *db.Tx, s *store.Store, customerID, after string) (next string, err error)

// UnlinkedTrace clears rows that mention a customer without being linked to them, such as unmatched receipts.
// It works in pages as a Trace does, and receives the identifiers before they are erased.
type UnlinkedTrace func(tx *db.Tx, s *store.Store, known *Identifiers, after string) (next string, err error)

// Section is a list of what one feature stores about a customer. It becomes a member of the data export.
type Section struct {
	Name string
	// Page reads one page. It continues after a key, which is empty for the first page, and returns the next
	// key, which is empty after the last page.
	Page func(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error)
}
