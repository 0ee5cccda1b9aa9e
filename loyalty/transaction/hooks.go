package transaction

import (
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Hooks are what happens, in the same transaction, once it is known to whom a document belongs. One that is
// nil does nothing. The document, and the sale of a return, are locked; nothing of the customer is locked
// yet, so a hook may lock in the order of the house: counters of campaigns, accounts, customers. The
// customer's row still holds his sums and level without the document; read it with his account locked,
// and no other document of his comes in between.
type Hooks struct {
	// Earned gives what a sale earns.
	Earned func(tx *db.Tx, s *store.Store, sale *Transaction) error
	// Returned undoes what else a return undoes, where the store's returns count; the points are taken back
	// after it. The sale's Returned holds all its returns, the document's Returned.Gross what this one took.
	Returned func(tx *db.Tx, s *store.Store, sale, document *Transaction) error
	// Counted runs when the sums and the level of a document's customer hold it; then it may lock anything behind
	// customers.
	Counted func(tx *db.Tx, s *store.Store, customerID string) error
	// Simulate tells what a sale that is not stored would earn its customer.
	Simulate func(tx *db.Tx, s *store.Store, sale *Transaction) (points.Amount, error)
}

func (h Hooks) earned(tx *db.Tx, s *store.Store, sale *Transaction) error {
	if h.Earned == nil {
		return nil
	}
	return h.Earned(tx, s, sale)
}

func (h Hooks) returned(tx *db.Tx, s *store.Store, sale, document *Transaction) error {
	if h.Returned == nil {
		return nil
	}
	return h.Returned(tx, s, sale, document)
}

func (h Hooks) counted(tx *db.Tx, s *store.Store, customerID string) error {
	if h.Counted == nil {
		return nil
	}
	return h.Counted(tx, s, customerID)
}
