package feature

import (
	"encoding/json"
	"reflect"

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
	// HandOver moves what is stored about a customer to the one into whom they are merged.
	HandOver []HandOver
	// NotExported, NotForgotten and NotHandedOver are the reasons why Exports, Forget or HandOver is empty.
	NotExported, NotForgotten, NotHandedOver string
}

// check panics if the feature stores personal data without declaring what becomes of it.
func (p *Personal) check(section string) {
	if reflect.ValueOf(*p).IsZero() {
		return
	}
	for _, duty := range []struct {
		name, why string
		declared  int
	}{
		{"exports", p.NotExported, len(p.Exports)}, {"forgets", p.NotForgotten, len(p.Forget)},
		{"hands over", p.NotHandedOver, len(p.HandOver)},
	} {
		if (duty.declared == 0) != (duty.why != "") {
			panic("feature: " + section + " does not say how it " + duty.name + " personal data, or why not")
		}
	}
}

// HandOver moves rows about one customer to another one, and back.
type HandOver struct {
	// Name identifies the moved rows in the stored record of a merge.
	Name string
	// Rows names them in the error of a merge of too many; empty if their number is not limited.
	Rows string
	// Move moves at most limit rows, whose customers are locked. It returns what Back needs, and the number of limited
	// rows.
	Move func(tx *db.Tx, s *store.Store, from, to string, limit int) (moved any, rows int, err error)
	// Back moves the rows that Move returned from the customer who has them to the one from whom they came.
	Back func(tx *db.Tx, s *store.Store, from, to string, moved json.RawMessage) error
}

// HandsOver returns a HandOver whose move returns rows as a value that can be stored as JSON.
func HandsOver[T any](name, rows string,
	move func(tx *db.Tx, s *store.Store, from, to string, limit int) (moved T, n int, err error),
	back func(tx *db.Tx, s *store.Store, from, to string, moved T) error) HandOver {
	return HandOver{
		Name: name, Rows: rows,
		Move: func(tx *db.Tx, s *store.Store, from, to string, limit int) (any, int, error) {
			return move(tx, s, from, to, limit)
		},
		Back: func(tx *db.Tx, s *store.Store, from, to string, stored json.RawMessage) error {
			var moved T
			if err := json.Unmarshal(stored, &moved); err != nil {
				return err
			}
			return back(tx, s, from, to, moved)
		},
	}
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
