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

// audited completes the entry of a document that is registered with others.
func (t *Transaction) audited(tx *db.Tx, e *audit.Entry) *audit.Entry {
	e.ID, e.CreatedAt = tx.NewID(), tx.ServerNow()
	e.SetEntity(t.ID)
	if t.CustomerID != "" {
		e.SetCustomer(t.CustomerID)
	}
	return e
}
