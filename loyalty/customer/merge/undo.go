package merge

import (
	"errors"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Why a merge cannot be undone.
var (
	ErrUndone   = fault.New(fault.Conflict, "merge_undone", "This merge was undone already.")
	ErrFinal    = fault.New(fault.Conflict, "merge_final", "A customer of this merge was erased.")
	ErrCustomer = fault.New(fault.Conflict, "merge_customer_changed",
		"A customer or their receipts have changed since.")
	ErrPoints = fault.New(fault.Conflict, "merge_points_changed",
		"The points of the customer have changed since.")
	ErrCoupons = fault.New(fault.Conflict, "merge_coupons_changed",
		"The coupons of the customer have changed since.")
	ErrContactUsed = fault.New(fault.Conflict, "merge_contact_used",
		"Another customer has the e-mail address, the phone or the card of the merged one by now.")
)

// Undo restores two customers as they were before a merge, unless one of them has moved since. It locks like Merge.
func (svc *Service) Undo(tx *db.Tx, s *store.Store, customerID, mergeID, by string) (*Merge, error) {
	m, err := findMerge(tx, s.Key, mergeID, "")
	if err != nil {
		return nil, err
	}
	if m.TargetID != customerID && m.MergedID != customerID {
		return nil, fault.ErrNotFound
	}
	if err := m.undoable(); err != nil {
		return nil, err
	}
	if err := transaction.LockAll(tx, s.Key, m.Record.Receipts); err != nil {
		return nil, err
	}
	coupons := purchase.Handover{StoreKey: s.Key, From: m.TargetID, To: m.MergedID, CouponIDs: m.Record.Coupons}
	if err := coupons.Lock(tx, svc.desk); err != nil {
		return nil, err
	}
	members, err := membership.Lock(tx, s, m.TargetID, m.MergedID)
	if err != nil {
		return nil, err
	}
	if m, err = findMerge(tx, s.Key, mergeID, " FOR UPDATE"); err != nil {
		return nil, err
	}
	if err := m.undoable(); err != nil {
		return nil, err
	}
	now, err := svc.stamp(tx, members.Of(m.TargetID), members.Of(m.MergedID))
	if err != nil {
		return nil, err
	}
	if err := m.Record.After.moved(now); err != nil {
		return nil, err
	}
	if err := svc.giveBack(tx, s, m, members, &coupons); err != nil {
		return nil, err
	}
	if err := feature.React(tx, s, customer.Merged{TargetID: m.TargetID, MergedID: m.MergedID}); err != nil {
		return nil, err
	}
	m.UndoneAt, m.UndoneBy, m.Record = tx.Now(), by, nil
	return m, saveUndone(tx, m)
}

func (m *Merge) undoable() error {
	switch {
	case !m.UndoneAt.IsZero():
		return ErrUndone
	case m.Record == nil:
		return ErrFinal
	}
	return nil
}

// moved returns what has moved between two stamps, or nil.
func (s Stamp) moved(now Stamp) error {
	switch {
	case s.Coupons != now.Coupons:
		return ErrCoupons
	case s.Transfers != now.Transfers || s.Earned != now.Earned || s.Used != now.Used || s.Blocked != now.Blocked:
		return ErrPoints
	case s.TargetVersion != now.TargetVersion || s.MergedVersion != now.MergedVersion:
		return ErrCustomer
	}
	return nil
}

// giveBack moves back what the merge moved.
func (svc *Service) giveBack(tx *db.Tx, s *store.Store, m *Merge, members *membership.Members,
	coupons *purchase.Handover) error {
	r, target, merged := m.Record, members.Of(m.TargetID), members.Of(m.MergedID)
	entries, err := merged.Wallet.Unmerge(target.Wallet, r.Points)
	if err != nil {
		return err
	}
	if err := coupons.Apply(tx, svc.desk, target.Wallet, merged.Wallet); err != nil {
		return err
	}
	if err := transaction.HandOver(tx, s.Key, r.Receipts, m.MergedID); err != nil {
		return err
	}
	err = customer.Unmerge(tx, s, target.Customer, merged.Customer, r.Former)
	if _, taken := errors.AsType[*customer.Taken](err); taken {
		return ErrContactUsed
	}
	if err != nil {
		return err
	}
	for _, h := range svc.moves {
		moved, found := r.Moved[h.Name]
		if !found {
			continue // a feature that is younger than the merge
		}
		if err := h.Back(tx, s, m.TargetID, m.MergedID, moved); err != nil {
			return err
		}
	}
	members.Record(entries...)
	return members.Save()
}
