package seller

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Hooks act on the sessions of sellers.
type Hooks struct {
	// EndSessions ends all sessions of a seller except the one with the id keep. It runs in the transaction
	// of the change that requires a new log-in.
	EndSessions func(tx *db.Tx, sellerID, keep string) error
	// AccessChanged runs after an administrator changed a seller, in its transaction. Nil is skipped.
	AccessChanged func(tx *db.Tx, s *store.Store, before, after *Seller) error
}
