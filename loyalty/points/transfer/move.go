package transfer

import (
	"errors"
	"time"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// move is a transfer of points that a call asks for: by hand, or from one customer to another.
type move struct {
	customer string // of a transfer by hand
	decide   func(of *points.Wallet, now time.Time) (*points.Transfer, event.Entry, error)

	sender, receiver string // of a gift: id, e-mail address or phone
	gift             points.Gift
	rests            bool // refused if the account of the sender was changed just now
}

// asked is a transfer in a batch.
type asked = api.Asked[move, *points.Transfer]

// movement is a transfer whose customers are found.
type movement struct {
	*asked
	from, to string // to is empty for a transfer by hand
}

func newMoves(d *db.DB) *api.Batched[move, *points.Transfer] {
	moves := api.NewBatched(d, carryOut, func(a *asked) (any, error) { return madeTransfer{a.Out.ID}, nil })
	moves.RefusesIfMatch = true
	return moves
}

// carryOut carries out the transfers of a batch in order of arrival. It finds and locks all customers first, decides in
// memory, and writes each account once.
func carryOut(tx *db.Tx, s *store.Store, calls []*asked) error {
	all, ids, err := findCustomers(tx, s, calls)
	if err != nil {
		return err
	}
	members, err := membership.Lock(tx, s, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Err != nil || !m.IsNew() {
			continue
		}
		m.Out, m.Err = m.transfer(members, tx.Now())
		if errors.Is(m.Err, points.ErrNotEnough) {
			m.Err = api.RefusedField("points", errNotEnough)
		}
		if m.Err != nil {
			if !api.IsRefusal(m.Err) {
				return m.Err
			}
			continue
		}
		err := m.Done(func(e *audit.Entry) error {
			e.SetCustomer(m.from)
			e.SetEntity(m.Out.ID)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return members.Save()
}

// findCustomers finds the customers of transfers, and returns the ids of those who have to be locked. A customer who is
// not found is the error of the call.
func findCustomers(tx *db.Tx, s *store.Store, calls []*asked) (all []*movement, lock []string, err error) {
	var ids, names []string
	for _, a := range calls {
		if a.In.decide != nil {
			ids = append(ids, a.In.customer)
		} else {
			names = append(names, a.In.sender, a.In.receiver)
		}
	}
	byID, byName := map[string]*customer.Customer{}, map[string]*customer.Customer{}
	if len(ids) > 0 {
		if byID, err = customer.FindAll(tx, s.Key, db.Distinct(ids)...); err != nil {
			return nil, nil, err
		}
	}
	if len(names) > 0 {
		if byName, err = customer.FindByContacts(tx, s, db.Distinct(names)...); err != nil {
			return nil, nil, err
		}
	}
	for _, a := range calls {
		if !a.IsNew() {
			continue
		}
		m := &movement{asked: a}
		if a.In.decide != nil {
			m.from, a.Err = a.In.customer, mayChange(byID[a.In.customer])
		} else {
			a.Err = m.findSides(byName)
		}
		if a.Err == nil && a.In.rests {
			a.Err = refuseResting(tx, s, m.from)
		}
		if a.Err != nil {
			if !api.IsRefusal(a.Err) {
				return nil, nil, a.Err
			}
			continue
		}
		all, lock = append(all, m), append(lock, m.from)
		if m.to != "" {
			lock = append(lock, m.to)
		}
	}
	return all, lock, nil
}

// mayChange returns why a customer is gone, and refuses one that the store never had.
func mayChange(who *customer.Customer) error {
	if who == nil {
		return api.RefusedField("customer", form.Invalid("unknown_customer"))
	}
	return who.Gone()
}

// transfer makes the transfer in the locked accounts. A refused one changes nothing.
func (m *movement) transfer(members *membership.Members, now time.Time) (made *points.Transfer, err error) {
	from := members.Of(m.from)
	if m.In.decide == nil {
		to := members.Of(m.to)
		if from == nil || to == nil {
			return nil, fault.ErrNotFound
		}
		return members.Give(from, to, m.In.gift)
	}
	switch {
	case from == nil:
		return nil, fault.ErrNotFound
	case from.MergedInto != "":
		return nil, from.Gone()
	}
	err = members.Change(from, func(of *points.Wallet) (entry event.Entry, err error) {
		made, entry, err = m.In.decide(of, now)
		return entry, err
	})
	return made, err
}
