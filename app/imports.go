package app

import (
	"slices"

	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/transaction"
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
