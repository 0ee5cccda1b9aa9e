package app

import (
	"punchcard/customer"
	"punchcard/earning"
	"punchcard/platform/db"
	"punchcard/segment"
	"punchcard/store"
	"punchcard/transaction"
)

// receiptHooks are what follows from a receipt.
var receiptHooks = transaction.Hooks{Earned: earning.Earned, Simulate: earning.Simulate, Counted: segment.Recheck}

// customerRegistered is what follows a registration; the segments come last, because they ask what became of him.
func customerRegistered(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	if err := earning.Registered(tx, s, c); err != nil {
		return err
	}
	return segment.Recheck(tx, s, c.ID)
}

// customerChanged is what follows a change of a customer.
func customerChanged(tx *db.Tx, s *store.Store, before, after *customer.Customer) error {
	if after.Status == customer.Deleted {
		if err := transaction.Disown(tx, s.Key, after.ID); err != nil {
			return err
		}
	}
	if err := earning.Changed(tx, s, before, after); err != nil {
		return err
	}
	return segment.Recheck(tx, s, after.ID)
}
