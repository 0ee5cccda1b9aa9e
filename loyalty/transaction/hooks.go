package transaction

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// Hooks decide what receipts earn, and limit them. A nil hook does nothing. They run in the same database transaction,
// for documents of different customers. The documents are locked, and the rows of customers still hold the sums and
// levels without the documents.
type Hooks struct {
	// Ahead is how far in the future a document may be dated; 0 for any.
	Ahead time.Duration
	// Earn begins to decide what sales earn. It returns queries for what does not depend on the sales.
	Earn func(tx *db.Tx, s *store.Store) (Earnings, []db.Query)
	// Simulate returns the points that a sale would earn its customer, without storing anything.
	Simulate func(tx *db.Tx, s *store.Store, sale *Transaction) (points.Amount, error)
	// Explain returns the same, and why each earning rule gives its part or not. The sale may have no customer.
	Explain func(tx *db.Tx, s *store.Store, locale api.Locale, sale *Transaction) (points.Amount, []ExplainedRule, error)
	// Guesses limits the receipts that customers claim in vain.
	Guesses api.Guesses
}

// Reduced is a return that has reduced a locked sale, also if returns do not count in the store.
type Reduced struct{ Sale *Transaction }

// Returned is a return in a store in which returns count, after Reduced. A reaction undoes effects of the sale, and can
// lock as Earnings.Decide does. Points are taken back afterwards. Sale.Returned holds all returns of the sale, and
// Document.Returned.Gross the amount of this one.
type Returned struct{ Sale, Document *Transaction }

// Counted are documents that the sums and levels of their customers include now. A reaction can lock rows that come
// after customers in the locking order.
type Counted struct{ CustomerIDs []string }

// Sold is a sale with its customer as read before.
type Sold struct {
	Sale  *Transaction
	Buyer *customer.Customer
}

// Earnings decides and pays what sales earn.
type Earnings interface {
	// Decide decides what sales of different customers earn, and replaces their LinePoints unless they are nil. No row
	// of the customers is locked yet, so it can lock campaign counters and accounts, in this order.
	Decide(sales []Sold) error
	// Others returns further customers who may earn by these sales. They are locked with those of the sales.
	Others() []string
	// Pay gives the points of a sale to its locked customer, and to others.
	Pay(sale *Transaction, buyer *membership.Member, members *membership.Members) error
}
