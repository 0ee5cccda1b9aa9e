package transaction

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Hooks run in the same database transaction, once the customer of a document is known. A nil hook does nothing. The
// document, and the sale of a return, are locked. No row of the customer is locked yet, so a hook can lock in the
// usual order: campaign counters, accounts, customers. The customer's row still holds the sums and the level without
// the document. While a hook holds the lock of the account, no other document of the customer changes them.
type Hooks struct {
	// Ahead is how far in the future a document may be dated; 0 for any.
	Ahead time.Duration
	// Earned gives the points and rewards that a sale earns. The customer is as read before.
	Earned func(tx *db.Tx, s *store.Store, sale *Transaction, who *customer.Customer) error
	// Returned undoes further effects of a sale, if returns count in the store. Points are taken back afterwards. The
	// sale's Returned holds all its returns, the document's Returned.Gross the amount of this one.
	Returned func(tx *db.Tx, s *store.Store, sale, document *Transaction) error
	// Counted runs after the customer's sums and level include the document. It can lock rows that come after
	// customers in the locking order.
	Counted func(tx *db.Tx, s *store.Store, customerID string) error
	// Simulate returns the points that a sale would earn its customer, without storing anything.
	Simulate func(tx *db.Tx, s *store.Store, sale *Transaction) (points.Amount, error)
	// Guesses limits the receipts that customers claim in vain.
	Guesses api.Guesses
}

func (h Hooks) earned(tx *db.Tx, s *store.Store, sale *Transaction, who *customer.Customer) error {
	if h.Earned == nil {
		return nil
	}
	return h.Earned(tx, s, sale, who)
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
