package transaction

import (
	"slices"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
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
		if err := r.decide(sales); err != nil {
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
		before := owner.Wallet.Points + owner.Wallet.Locked
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
		d.moved = owner.Wallet.Points + owner.Wallet.Locked - before
	}
	if err := members.Save(); err != nil {
		return err
	}
	for _, d := range owned {
		r.buyers[d.owner.ID] = members.Of(d.owner.ID).Customer
	}
	return nil
}

// decide decides what sales earn. It stores points by line that are not those of the checkout, because the sale has
// another point of sale or time, or because the rules have changed.
func (r *registration) decide(sales []Sold) error {
	stored := make([][]points.Amount, len(sales))
	for i, of := range sales {
		stored[i] = of.Sale.LinePoints
	}
	if err := r.earnings.Decide(sales); err != nil {
		return err
	}
	var changed []*Transaction
	for i, of := range sales {
		if !slices.Equal(of.Sale.LinePoints, stored[i]) {
			changed = append(changed, of.Sale)
		}
	}
	return table.Update(r.tx, "line_points", changed...)
}

// undo undoes effects of returned sales other than their points.
func (r *registration) undo(documents []*receipt) error {
	for _, d := range documents {
		if d.sale == nil {
			continue
		}
		if err := feature.React(r.tx, r.store, Reduced{d.sale}); err != nil {
			return err
		}
		if !r.store.Settings.Returns {
			continue
		}
		if err := feature.React(r.tx, r.store, Returned{d.sale, d.Transaction}); err != nil {
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
	value, err := d.pointsBack(tx, &s.Settings, moved)
	if err != nil {
		return err
	}
	members.TakeBack(owner, moved, value, d.ID, "Return "+d.DocumentNumber)
	return nil
}

// pointsBack returns the points that a return takes back: the part of what its sale earned by value, or by the returned
// lines if the sale has points by line. In a store of whole points, what stays is rounded as rules round it.
func (d *receipt) pointsBack(tx *db.Tx, s *store.Settings, moved points.Sale) (points.Amount, error) {
	left := max(0, moved.Earned-moved.Taken)
	areWhole := s.WholePoints() && moved.Earned%decimal.Whole(1) == 0
	switch {
	case d.FullyReturned:
		return left, nil
	case d.sale.LinePoints != nil:
		returns, err := lockReturns(tx, d.sale)
		if err != nil {
			return 0, err
		}
		value := d.sale.pointsOfReturned(returns, moved.Earned)
		if areWhole {
			return max(0, left-s.RuleGives(moved.Earned-value)), nil
		}
		earlier := slices.DeleteFunc(returns, func(t Transaction) bool { return t.ID == d.ID })
		return min(value-d.sale.pointsOfReturned(earlier, moved.Earned), left), nil
	case areWhole:
		return max(0, left-d.sale.staying(s, moved.Earned)), nil
	}
	return share(moved.Earned, moved.Taken, d.Returned.Gross, d.sale.Amounts.Gross, false), nil
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
