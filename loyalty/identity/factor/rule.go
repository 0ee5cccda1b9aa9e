package factor

import (
	"time"

	"punchcard/platform/db"
)

const day = 24 * time.Hour

// Rule makes a second factor necessary for the administrators of a role (StoreKey 0) or the sellers of a store
// (RoleID 0).
type Rule struct {
	StoreKey  int64
	RoleID    int64
	GraceDays int64
	Since     time.Time
}

// Deadline is when an account that was created at a time can only enrol a factor.
func (r *Rule) Deadline(createdAt time.Time) time.Time {
	if createdAt.Before(r.Since) {
		createdAt = r.Since
	}
	return createdAt.Add(time.Duration(r.GraceDays) * day)
}

// SetRule makes a factor necessary. A rule that exists keeps its beginning.
func SetRule(tx *db.Tx, storeKey, roleID, graceDays int64) error {
	return putRule(tx, &Rule{storeKey, roleID, graceDays, tx.ServerNow()})
}
