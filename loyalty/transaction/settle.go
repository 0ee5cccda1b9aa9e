package transaction

import (
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// settle carries out what documents mean for their owners, who differ: points, sums and levels. Documents without an
// owner mean nothing.
func settle(tx *db.Tx, s *store.Store, documents []*receipt, hooks Hooks) error {
	var owned []*receipt
	var ids []string
	for _, d := range documents {
		if d.owner != nil {
			owned, ids = append(owned, d), append(ids, d.owner.ID)
		}
	}
	if len(owned) == 0 {
		return nil
	}
	earnings, err := earn(tx, s, owned, hooks)
	if err != nil {
		return err
	}
	if earnings != nil {
		ids = append(ids, earnings.Others()...)
	}
	if err := undo(tx, s, owned, hooks); err != nil {
		return err
	}
	members, err := membership.Lock(tx, s, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	for _, d := range owned {
		owner := members.Of(d.owner.ID)
		if owner == nil {
			return fault.ErrNotFound
		}
		owner.Wallet.Activate()
		switch {
		case d.sale != nil && s.Settings.Returns:
			err = d.takePointsBack(s, owner, members)
		case d.sale == nil && d.earns && earnings != nil:
			err = earnings.Pay(d.Transaction, owner, members)
		}
		if err == nil {
			err = d.countFor(tx, owner, members)
		}
		if err != nil {
			return err
		}
	}
	return members.Save()
}

// earn decides what the sales among documents earn; nil if there are none.
func earn(tx *db.Tx, s *store.Store, documents []*receipt, hooks Hooks) (Earnings, error) {
	var sales []Sold
	for _, d := range documents {
		if d.sale == nil && d.earns {
			sales = append(sales, Sold{d.Transaction, d.owner})
		}
	}
	if len(sales) == 0 || hooks.Earn == nil {
		return nil, nil
	}
	return hooks.Earn(tx, s, sales)
}

// undo undoes effects of returned sales other than their points.
func undo(tx *db.Tx, s *store.Store, documents []*receipt, hooks Hooks) error {
	if hooks.Returned == nil || !s.Settings.Returns {
		return nil
	}
	for _, d := range documents {
		if d.sale == nil {
			continue
		}
		if err := hooks.Returned(tx, s, d.sale, d.Transaction); err != nil {
			return err
		}
	}
	return nil
}

// takePointsBack takes points of a returned sale away.
func (d *receipt) takePointsBack(s *store.Store, owner *membership.Member, members *membership.Members) error {
	moved, err := owner.Wallet.OfSale(d.sale.ID)
	if err != nil {
		return err
	}
	value := share(moved.Earned, moved.Taken, d.Returned.Gross, d.sale.Amounts.Gross, d.FullyReturned)
	if s.Settings.WholePoints() && moved.Earned%decimal.Whole(1) == 0 {
		value = max(0, moved.Earned-moved.Taken-d.sale.staying(&s.Settings, moved.Earned))
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
