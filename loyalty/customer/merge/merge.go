// Package merge merges two customers of a store who are the same person: docs/behaviour/merges.md.
package merge

import (
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/customer/note"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const (
	// RowLimit is how many coupons, receipts, uses of earning rules and invitations, each, one merge moves at most.
	RowLimit = 5_000
	// MergeLimit is how many customers can be merged into one.
	MergeLimit = 50
)

// Why two customers cannot be merged.
var (
	ErrSame       = fault.New(fault.Conflict, "merge_same_customer", "A customer cannot be merged with themselves.")
	ErrBlocked    = fault.New(fault.Conflict, "merge_blocked_customer", "Blocked customers cannot be merged.")
	ErrAnonymized = fault.New(fault.Conflict, "merge_anonymized_customer", "Anonymized customers cannot be merged.")
	ErrLeaving    = fault.New(fault.Conflict, "merge_leaving_customer",
		"A customer who has deleted their account cannot be merged.")
	ErrHasMerged = fault.New(fault.Conflict, "merge_has_merged",
		"Customers were merged into this one. Merge the other one into it instead.")
	ErrTooMany  = fault.New(fault.Conflict, "merge_too_many", "%d customers were merged into this one already.")
	ErrTooLarge = fault.New(fault.Conflict, "merge_too_large", "More than %d %s would have to move.")
)

// Merge is a merge of two customers.
type Merge struct {
	StoreKey           int64
	ID                 string
	TargetID, MergedID string
	MergedAt           time.Time
	MergedBy           string
	UndoneAt           time.Time // zero unless it was undone
	UndoneBy           string
	Points             points.Amount // that moved, pending ones included
	Coupons            int64
	Receipts           int64
	Record             *Record // nil if it cannot be undone any more
}

// Record holds what an undoing restores.
type Record struct {
	Former   customer.Former
	Points   points.Merged
	Coupons  []string
	Receipts []string
	Earning  earning.Handover

	Notes, Invitations []string

	After Stamp
}

// Stamp holds numbers that every later change of one of the customers changes.
type Stamp struct {
	TargetVersion, MergedVersion int64 // of the customers
	Transfers                    int64 // of the target customer, as are the sums of points
	Earned, Used, Blocked        points.Amount
	Coupons                      purchase.Standing
}

// Hooks are the functions of other features that a merge calls.
type Hooks struct {
	Desk *purchase.Desk
}

// plan holds what a merge moves. It is read before the accounts are locked, and again after.
type plan struct{ receipts, coupons []string }

func (h Hooks) plan(tx *db.Tx, storeKey int64, mergedID string) (p plan, err error) {
	if p.receipts, err = transaction.LockOf(tx, storeKey, mergedID, RowLimit+1); err != nil {
		return p, err
	}
	p.coupons, err = h.Desk.OwnedIDs(tx, storeKey, mergedID, RowLimit+1)
	return p, err
}

func (p *plan) tooLarge() error {
	switch {
	case len(p.receipts) > RowLimit:
		return ErrTooLarge.With(RowLimit, "receipts")
	case len(p.coupons) > RowLimit:
		return ErrTooLarge.With(RowLimit, "coupons")
	}
	return nil
}

// Merge merges a customer into another one. It locks in the order of all operations: receipts, counters of campaigns,
// accounts, customers, coupons.
func (h Hooks) Merge(tx *db.Tx, s *store.Store, targetID, mergedID, by string) (*Merge, error) {
	if targetID == mergedID {
		return nil, ErrSame
	}
	p, err := h.plan(tx, s.Key, mergedID)
	if err != nil {
		return nil, err
	}
	if err := p.tooLarge(); err != nil {
		return nil, err
	}
	coupons := purchase.Handover{StoreKey: s.Key, From: mergedID, To: targetID, CouponIDs: p.coupons}
	if err := coupons.Lock(tx, h.Desk); err != nil {
		return nil, err
	}
	members, err := membership.Lock(tx, s, targetID, mergedID)
	if err != nil {
		return nil, err
	}
	target, merged := members.Of(targetID), members.Of(mergedID)
	if target == nil || merged == nil {
		return nil, fault.ErrNotFound
	}
	if err := refuse(tx, s, target.Customer, merged.Customer); err != nil {
		return nil, err
	}
	again, err := h.plan(tx, s.Key, mergedID)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(p.receipts, again.receipts) || !slices.Equal(p.coupons, again.coupons) {
		return nil, db.ErrStale // a concurrent request added some
	}
	m := &Merge{
		StoreKey: s.Key, ID: tx.NewID(), TargetID: targetID, MergedID: mergedID, MergedAt: tx.Now(), MergedBy: by,
		Coupons: int64(len(p.coupons)), Receipts: int64(len(p.receipts)),
		Record: &Record{Coupons: p.coupons, Receipts: p.receipts},
	}
	if err := m.move(tx, s, members, &coupons, h.Desk); err != nil {
		return nil, err
	}
	if err := m.moveRest(tx); err != nil {
		return nil, err
	}
	if err := after(tx, s, m); err != nil {
		return nil, err
	}
	if m.Record.After, err = h.stamp(tx, target, merged); err != nil {
		return nil, err
	}
	return m, insertMerge(tx, m)
}

// refuse returns why two locked customers cannot be merged.
func refuse(tx *db.Tx, s *store.Store, target, merged *customer.Customer) error {
	for _, c := range []*customer.Customer{target, merged} {
		leaves, err := customer.LeavesAt(tx, s.Key, c.ID)
		switch {
		case err != nil:
			return err
		case !c.AnonymizedAt.IsZero():
			return ErrAnonymized
		case c.Gone() != nil:
			return c.Gone()
		case c.Status == customer.Blocked:
			return ErrBlocked
		case !leaves.IsZero():
			return ErrLeaving
		}
	}
	into, err := customer.MergedInto(tx, s.Key, merged.ID)
	if err == nil && len(into) > 0 {
		err = ErrHasMerged
	}
	if err != nil {
		return err
	}
	into, err = customer.MergedInto(tx, s.Key, target.ID)
	if err == nil && len(into) >= MergeLimit {
		err = ErrTooMany.With(len(into))
	}
	return err
}

// move moves the points, the coupons, the receipts and the sums of purchases, and merges the customers.
func (m *Merge) move(tx *db.Tx, s *store.Store, members *membership.Members, coupons *purchase.Handover,
	desk *purchase.Desk) error {
	target, merged := members.Of(m.TargetID), members.Of(m.MergedID)
	moved, entries, err := merged.Wallet.MergeInto(target.Wallet)
	if err != nil {
		return err
	}
	m.Points, m.Record.Points = moved.Points, moved
	if err := coupons.Apply(tx, desk, merged.Wallet, target.Wallet); err != nil {
		return err
	}
	if err := transaction.HandOver(tx, s.Key, m.Record.Receipts, m.TargetID); err != nil {
		return err
	}
	former, err := customer.Merge(tx, s, target.Customer, merged.Customer)
	if err != nil {
		return err
	}
	m.Record.Former = *former
	members.Record(append(entries, customer.WasMerged(tx, s, m.TargetID, m.MergedID, false))...)
	members.Count(target, merged.Purchases)
	members.PointsChanged(target)
	return members.Save()
}

// moveRest moves what counts for limits, the notes and the invitations.
func (m *Merge) moveRest(tx *db.Tx) (err error) {
	r := m.Record
	if r.Earning, err = earning.HandOver(tx, m.StoreKey, m.MergedID, m.TargetID, RowLimit+1); err != nil {
		return err
	}
	if len(r.Earning.Uses) > RowLimit {
		return ErrTooLarge.With(RowLimit, "uses of earning rules")
	}
	if r.Notes, err = note.HandOver(tx, m.StoreKey, m.MergedID, m.TargetID); err != nil {
		return err
	}
	r.Invitations, err = invitation.HandOver(tx, m.StoreKey, m.MergedID, m.TargetID, RowLimit+1)
	if err == nil && len(r.Invitations) > RowLimit {
		err = ErrTooLarge.With(RowLimit, "invitations")
	}
	return err
}

// after ends the sessions of the merged customer, checks the segments of both, and tells both contacts.
func after(tx *db.Tx, s *store.Store, m *Merge) error {
	if err := feature.React(tx, s, access.SessionsEnded{UserID: m.MergedID}); err != nil {
		return err
	}
	if err := feature.React(tx, s, customer.Merged{TargetID: m.TargetID, MergedID: m.MergedID}); err != nil {
		return err
	}
	former := &m.Record.Former
	return message.Queue(tx, s, message.To(&former.Target, template.CustomersMerged, nil),
		message.To(&former.Merged, template.CustomersMerged, nil))
}

// stamp returns how the customers are now.
func (h Hooks) stamp(tx *db.Tx, target, merged *membership.Member) (s Stamp, err error) {
	w := target.Wallet
	s = Stamp{
		TargetVersion: target.Version, MergedVersion: merged.Version, Transfers: w.Transfers, Earned: w.Earned, Used: w.Used,
		Blocked: w.Account.Blocked,
	}
	s.Coupons, err = h.Desk.StandingOf(tx, target.Customer.StoreKey, target.Customer.ID)
	return s, err
}
