package transaction

import (
	"punchcard/loyalty/audit"
	"punchcard/platform/db"
)

// audit makes a document the entity of the audit entry.
func (t *Transaction) audit(tx *db.Tx) {
	e := audit.Of(tx)
	e.SetEntity(t.ID)
	if t.CustomerID != "" {
		e.SetCustomer(t.CustomerID)
	}
}
