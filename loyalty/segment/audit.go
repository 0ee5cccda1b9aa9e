package segment

import "punchcard/platform/db"

// Audited returns what the audit log compares of a segment.
func (svc *Service) Audited(tx *db.Tx, storeKey int64, id string) (any, error) {
	return svc.find(tx, storeKey, id)
}
