package app

import (
	"slices"

	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// importKinds returns what can be imported. To add a kind, add it here.
func (s *server) importKinds() []*dataimport.Kind {
	return slices.Concat(
		[]*dataimport.Kind{
			customerapi.Import(customerapi.ImportHooks{
				Registered: s.customersImported, Changes: s.customerHooks(), Greet: verification.Registered,
			}),
			transfer.Import(),
		},
		transaction.Imports(s.clientReceipts()),
	)
}

// forgetImported clears what imports say about a customer.
func forgetImported(tx *db.Tx, s *store.Store, known *privacy.Identifiers, after string) (next string, err error) {
	return dataimport.Forget(tx, s, dataimport.Person{
		Identifiers: slices.Concat([]string{known.ID}, known.Emails, known.Phones, known.Cards), Names: known.Names,
	}, after)
}
