package template

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Audited returns what the audit log compares of a template.
func Audited(tx *db.Tx, s *store.Store, id string) (any, error) { return byID(tx, s, id) }
