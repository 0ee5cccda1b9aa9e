package transaction

import "punchcard/core/audit"

// describeIn makes a document the entity of an audit entry, which may be nil.
func (t *Transaction) describeIn(e *audit.Entry) error {
	e.SetEntity(t.ID)
	if t.CustomerID != "" {
		e.SetCustomer(t.CustomerID)
	}
	return nil
}
