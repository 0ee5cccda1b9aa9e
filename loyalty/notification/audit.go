package notification

import "punchcard/platform/db"

// Audited returns the gateway of a store for the audit log, empty if there is none.
func Audited(tx *db.Tx, storeKey int64) (Gateway, error) {
	g, _, err := findGateway(tx, storeKey)
	return g, err
}
