package transaction

import (
	"errors"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// The errors of an assignment. Clients compare the messages.
var (
	errNoTransaction   = fault.New(fault.Fields, "unknown_transaction", "No such transaction")
	errAlreadyAssigned = fault.New(fault.Fields, "already_assigned", "Customer is already assigned to this transaction")
)

// lockUnassigned locks a transaction without a customer, or returns a *Refused error.
func lockUnassigned(tx *db.Tx, storeKey int64, number string) (*Transaction, error) {
	t, err := lockByDocument(tx, storeKey, number)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return nil, &Refused{Document: errNoTransaction}
	case err == nil && t.CustomerID != "":
		return nil, &Refused{Document: errAlreadyAssigned}
	}
	return t, err
}

// Assign assigns a transaction without a customer to one, with the same effects as registering it, but a sale that
// belonged to a customer who was deleted since earns nothing again. The returns of a sale are assigned with it, so that
// returned goods earn nothing. A return alone can be assigned only to the customer
// of its sale. A *Refused error says why an assignment is not possible.
func Assign(tx *db.Tx, s *store.Store, number string, who *customer.Customer, hooks Hooks) (*Transaction, error) {
	t, err := lockUnassigned(tx, s.Key, number)
	if err != nil {
		return nil, err
	}
	if t.Type == Return {
		sale, err := Find(tx, s.Key, t.RevisedID)
		if err == nil && sale.CustomerID != who.ID {
			err = &Refused{Document: errWrongOwner}
		}
		if err != nil {
			return nil, err
		}
		return t, assign(tx, s, who, hooks, &receipt{Transaction: t, sale: sale})
	}
	returns, err := lockReturns(tx, t)
	if err != nil {
		return nil, err
	}
	documents := []*receipt{{Transaction: t}}
	for i := range returns {
		documents = append(documents, &receipt{Transaction: &returns[i], sale: t})
	}
	sums := t.Left().purchases(1)
	if t.FullyReturned {
		sums.Count = 0
	} else {
		sums.LastAt = t.PurchasedAt
	}
	t.matchIn(tx, s, who.LevelID, sums)
	documents[len(documents)-1].change = sums
	if err := assign(tx, s, who, hooks, documents...); err != nil {
		return t, err
	}
	return t, feature.React(tx, s, Counted{[]string{who.ID}})
}

// Claim is Assign at the customer's request. Unless the store lets customers claim any receipt, one without their
// e-mail address, phone or loyalty card is refused as if it did not exist, because numbers can be guessed.
func Claim(tx *db.Tx, s *store.Store, number string, who *customer.Customer, hooks Hooks) (*Transaction, error) {
	t, err := lockUnassigned(tx, s.Key, number)
	if err != nil {
		return nil, err
	}
	carries := s.Settings.CustomersMayClaimReceipts
	for _, field := range []string{store.ByEmail, store.ByPhone, store.ByLoyaltyCard} {
		value := t.CustomerData.value(field)
		carries = carries || who.IsIdentifiedBy(s, field, value)
		if !carries {
			if carries, err = who.IsLedTo(tx, s, field, value); err != nil {
				return nil, err
			}
		}
	}
	if !carries {
		return nil, &Refused{Document: errNoTransaction}
	}
	return Assign(tx, s, number, who, hooks)
}

// assign makes a customer the owner of documents, one after the other.
func assign(tx *db.Tx, s *store.Store, who *customer.Customer, hooks Hooks, documents ...*receipt) error {
	r := &registration{tx: tx, store: s, hooks: hooks, buyers: map[string]*customer.Customer{}}
	if err := tx.Run(r.prepareEarnings()...); err != nil {
		return err
	}
	for _, d := range documents {
		d.owner, d.earns = who, d.own(tx, who)
		if err := saveOwner(tx, d.Transaction); err != nil {
			return err
		}
		if err := event.Append(tx, s.Key, assigned(d.Transaction, who)...); err != nil {
			return err
		}
		if err := r.settle([]*receipt{d}); err != nil {
			return err
		}
	}
	return nil
}
