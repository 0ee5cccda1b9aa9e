// Package merge merges two customers of a store who are the same person: docs/behaviour/merges.md.
package merge

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/customer/membership"
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
	After    Stamp
	// Moved holds what features handed over, by the names of their HandOver. It is stored beside the other members.
	Moved map[string]json.RawMessage `json:"-"`
}

// Stamp holds numbers that every later change of one of the customers changes.
type Stamp struct {
	TargetVersion, MergedVersion int64 // of the customers
	Transfers                    int64 // of the target customer, as are the sums of points
	Earned, Used, Blocked        points.Amount
	Coupons                      purchase.Standing
}

// MarshalJSON adds what features handed over to the other members.
func (r *Record) MarshalJSON() ([]byte, error) {
	type own Record
	text, err := json.Marshal((*own)(r))
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	maps.Copy(all, r.Moved)
	return json.Marshal(all)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Record) UnmarshalJSON(text []byte) error {
	type own Record
	if err := json.Unmarshal(text, (*own)(r)); err != nil {
		return err
	}
	return json.Unmarshal(text, &r.Moved)
}

// Service merges customers, and undoes that.
type Service struct {
	desk  *purchase.Desk
	moves []feature.HandOver
}

// New returns a service. moves are those of all features.
func New(desk *purchase.Desk, moves []feature.HandOver) *Service { return &Service{desk, moves} }

// plan holds what a merge moves. It is read before the accounts are locked, and again after.
type plan struct{ receipts, coupons []string }

func (svc *Service) plan(tx *db.Tx, storeKey int64, mergedID string) (p plan, err error) {
	if p.receipts, err = transaction.LockOf(tx, storeKey, mergedID, RowLimit+1); err != nil {
		return p, err
	}
	p.coupons, err = svc.desk.OwnedIDs(tx, storeKey, mergedID, RowLimit+1)
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
func (svc *Service) Merge(tx *db.Tx, s *store.Store, targetID, mergedID, by string) (*Merge, error) {
	if targetID == mergedID {
		return nil, ErrSame
	}
	p, err := svc.plan(tx, s.Key, mergedID)
	if err != nil {
		return nil, err
	}
	if err := p.tooLarge(); err != nil {
		return nil, err
	}
	coupons := purchase.Handover{StoreKey: s.Key, From: mergedID, To: targetID, CouponIDs: p.coupons}
	if err := coupons.Lock(tx, svc.desk); err != nil {
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
	again, err := svc.plan(tx, s.Key, mergedID)
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
	if err := m.move(tx, s, members, &coupons, svc.desk); err != nil {
		return nil, err
	}
	if err := svc.moveRest(tx, s, m); err != nil {
		return nil, err
	}
	if err := after(tx, s, m); err != nil {
		return nil, err
	}
	if m.Record.After, err = svc.stamp(tx, target, merged); err != nil {
		return nil, err
	}
	return m, insertMerge(tx, m)
}

// refuse returns why two locked customers cannot be merged.
func refuse(tx *db.Tx, s *store.Store, target, merged *customer.Customer) error {
	for _, c := range []*customer.Customer{target, merged} {
		leaves, err := erasure.At(tx, s.Key, c.ID)
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
	if err != nil {
		return err
	}
	if len(into) > 0 {
		return ErrHasMerged
	}
	if into, err = customer.MergedInto(tx, s.Key, target.ID); err != nil {
		return err
	}
	if len(into) >= MergeLimit {
		return ErrTooMany.With(len(into))
	}
	return nil
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

// moveRest moves what features hand over.
func (svc *Service) moveRest(tx *db.Tx, s *store.Store, m *Merge) error {
	m.Record.Moved = map[string]json.RawMessage{}
	for _, h := range svc.moves {
		moved, n, err := h.Move(tx, s, m.MergedID, m.TargetID, RowLimit+1)
		if err != nil {
			return err
		}
		if n > RowLimit && h.Rows != "" {
			return ErrTooLarge.With(RowLimit, h.Rows)
		}
		if m.Record.Moved[h.Name], err = json.Marshal(moved); err != nil {
			return err
		}
	}
	return nil
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
func (svc *Service) stamp(tx *db.Tx, target, merged *membership.Member) (s Stamp, err error) {
	w := target.Wallet
	s = Stamp{
		TargetVersion: target.Version, MergedVersion: merged.Version, Transfers: w.Transfers, Earned: w.Earned, Used: w.Used,
		Blocked: w.Account.Blocked,
	}
	s.Coupons, err = svc.desk.StandingOf(tx, target.Customer.StoreKey, target.Customer.ID)
	return s, err
}
