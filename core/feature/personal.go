package feature

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Personal declares the personal data of customers that a feature stores: how they get it, and how it is erased. See
// docs/behaviour/privacy.md.
type Personal struct {
	Exports []Export
	// Forget clears what is stored about a customer who is anonymized, and about those who were merged into them.
	Forget []Trace
	// ForgetDeleted are those of Forget that also run in the transaction that deletes a customer. What the others clear
	// stays until the customer is anonymized.
	ForgetDeleted []Trace
	// ForgetUnlinked runs before the identifiers of an anonymized customer are erased; nil for nothing.
	ForgetUnlinked UnlinkedTrace
}

// Export is a list of the data export.
type Export struct {
	Name string // member of the export, such as notes
	Rank int    // place in the export: smaller first
	Read Page
}

// Page reads one page of a list of the export. It continues after a key, which is empty for the first page, and returns
// the next key, which is empty after the last page.
type Page func(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error)

// Trace clears what a feature stores about a customer besides the id, one page at a time. It continues after
// a key, which is empty for the first page, and returns the next key, which is empty after the last page.
// Clearing the same rows twice has no further effect.
type Trace func(tx *db.Tx, s *store.Store, customerID, after string) (next string, err error)

// UnlinkedTrace clears rows that mention a customer without being linked to them, such as unmatched receipts.
// It works in pages as a Trace does, and receives the identifiers before they are erased.
type UnlinkedTrace func(tx *db.Tx, s *store.Store, known *Identifiers, after string) (next string, err error)

// Identifiers are the id of a customer, every e-mail address, phone and loyalty card they have or had, and their names.
type Identifiers struct {
	ID                    string
	Names                 []string
	Emails, Phones, Cards []string
}
