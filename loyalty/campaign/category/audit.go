package category

import "punchcard/platform/db"

// Audited returns what the audit log compares of a category.
func Audited(tx *db.Tx, storeKey int64, id string) (any, error) {
	return findCategory(tx, storeKey, id)
}
