package seller

import "punchcard/platform/db"

// Hooks act on the sessions of sellers.
type Hooks struct {
	// EndSessions ends all sessions of a seller except the one with the id keep. It runs in the transaction
	// of the change that requires a new log-in.
	EndSessions func(tx *db.Tx, sellerID, keep string) error
}
