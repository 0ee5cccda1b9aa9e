package webhook

import "punchcard/platform/db"

// Audited returns what the audit log compares of a subscription.
func Audited(tx *db.Tx, storeKey int64, id string) (any, error) {
	return findSubscription(tx, storeKey, id)
}
