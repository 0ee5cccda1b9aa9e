package app

import (
	"slices"

	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/transaction"
)

// importKinds returns what can be imported. To add a kind, add it here.
func (s *server) importKinds() []*dataimport.Kind {
	return slices.Concat(transaction.Imports(s.receiptHooks()))
}
