package transaction

import (
	"slices"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// settle carries out what documents mean for their owners, who differ: points, sums and levels. Documents without an
// owner mean nothing.
func (r *registration) settle(documents []*receipt) error {
	var owned []*receipt
	var sales []Sold
	var ids []string
	for _, d := range documents {
		if d.owner == nil {
			continue
		}
		owned, ids = append(owned, d), append(ids, d.owner.ID)
		if d.sale == nil && d.earns && r.earnings != nil {
			sales = append(sales, Sold{d.Transaction, d.owner})
		}
	}
	if len(sales) > 0 {
		if err := r.earnings.Decide(sales); err != nil {
			return err
		}
		ids = append(ids, r.earnings.Others()...)
	}
	if err := r.undo(owned); err != nil {
		return err
	}
	members, err := membership.Lock(r.tx, r.store, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	for _, d := range owned {
		owner := members.Of(d.owner.ID)
		if owner == nil {
			return fault.ErrNotFound
		}
		if owner.Status == customer.Deleted { // since the document's data identified them
			return db.ErrStale
		}
		owner.Wallet.Activate()
		switch {
		case d.sale != nil && r.store.Settings.Returns:
			err = d.takePointsBack(r.tx, r.store, owner, members)
		case d.sale == nil && d.earns && r.earnings != nil:
			err = r.earnings.Pay(d.Transaction, owner, members)
		}
		if err == nil {
			err = d.countFor(r.tx, owner, members)
		}
		if err != nil {
			return err
		}
	}
	if err := members.Save(); err != nil {
		return err
	}
	for _, d := range owned {
		r.buyers[d.owner.ID] = members.Of(d.owner.ID).Customer
	}
	return nil
}

// undo undoes effects of returned sales other than their points.
func (r *registration) undo(documents []*receipt) error {
	for _, d := range documents {
		if d.sale == nil {
			continue
		}
		if r.hooks.Reduced != nil {
			if err := r.hooks.Reduced(r.tx, r.store, d.sale); err != nil {
				return err
			}
		}
		if r.hooks.Returned == nil || !r.store.Settings.Returns {
			continue
		}
		if err := r.hooks.Returned(r.tx, r.store, d.sale, d.Transaction); err != nil {
			return err
		}
	}
	return nil
}

// takePointsBack takes points of a returned sale away.
func (d *receipt) takePointsBack(
	tx *db.Tx, s *store.Store, owner *membership.Member, members *membership.Members) error {
	merged, err := customer.MergedInto(tx, s.Key, owner.ID)
	if err != nil {
		return err
	}
	moved, err := owner.Wallet.OfSale(d.sale.ID, merged...)
	if err != nil {
		return err
	}
	value := share(moved.Earned, moved.Taken, d.Returned.Gross, d.sale.Amounts.Gross, d.FullyReturned)
	if s.Settings.WholePoints() && moved.Earned%decimal.Whole(1) == 0 {
		value = max(0, moved.Earned-moved.Taken-d.sale.staying(&s.Settings, moved.Earned))
	}
	if d.sale.LinePoints != nil && !d.FullyReturned {
		returns, err := lockReturns(tx, d.sale)
		if err != nil {
			return err
		}
		value = d.sale.pointsOfReturned(returns, moved.Earned)
		earlier := slices.DeleteFunc(returns, func(t Transaction) bool { return t.ID == d.ID })
		value -= d.sale.pointsOfReturned(earlier, moved.Earned)
		value = min(value, max(0, moved.Earned-moved.Taken))
	}
	members.TakeBack(owner, moved, value, d.ID, "Return "+d.DocumentNumber)
	return nil
}

// countFor adds the document to the sums of its owner. After a sale was completely returned, an earlier one may be the
// last.
func (d *receipt) countFor(tx *db.Tx, owner *membership.Member, members *membership.Members) error {
	members.Count(owner, d.change)
	if d.change.Count >= 0 {
		return nil
	}
	last, err := lastSale(tx, d.StoreKey, owner.ID)
	owner.Purchases.LastAt = last
	return err
}

// appendRegistered appends the events of new documents.
func appendRegistered(tx *db.Tx, s *store.Store, documents []*receipt) error {
	var entries []event.Entry
	for _, d := range documents {
		entries = append(entries, registered(s, d.Transaction))
		if d.owner != nil {
			entries = append(entries, assigned(d.Transaction, d.owner)...)
		}
	}
	return event.Append(tx, s.Key, entries...)
}
