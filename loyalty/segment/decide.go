package segment

import (
	"time"

	"punchcard/core/config"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// decision returns the state that a customer should have in a segment, given the present one.
type decision func(s *Segment, f *Facts, now memberState) memberState

// decide returns the memberships that differ from what decision requires. It reads the memberships last: if
// the customers are not locked, a concurrent change shows as a difference, and the caller decides again with
// the customers locked.
func (svc *Service) decide(tx *db.Tx, shop *store.Store, segments []Segment, who []customer.Traits, decision decision) (
	[]change, error) {
	known, err := svc.facts(tx, shop, segments, who)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(who))
	for i := range who {
		ids[i] = who[i].ID
	}
	found, err := memberships(tx, shop.Key, ids)
	if err != nil {
		return nil, err
	}
	type key struct{ segmentID, customerID string }
	present := make(map[key]*membership, len(found))
	for i := range found {
		present[key{found[i].segmentID, found[i].customerID}] = &found[i]
	}
	var changes []change
	for i := range segments {
		s := &segments[i]
		for _, id := range ids {
			c := change{segment: s, customerID: id, old: present[key{s.ID, id}]}
			if c.old != nil {
				c.from = c.old.stateIn(s.Generation)
			}
			c.to = decision(s, known[id], c.from)
			if c.to.now || c.to.next {
				c.to.transactions, c.to.amount = known[id].Purchases.Count, known[id].Purchases.Amount
			} else {
				c.to = memberState{}
			}
			if c.to != c.from {
				changes = append(changes, c)
			}
		}
	}
	return changes, nil
}

// Recheck updates the memberships of customers after a change of their data, labels or purchases. Call it
// at the end of the operation: it locks the customers and then takes a shared lock on the store. If the rules
// of a segment changed, its present members are left to the rebuild, except that an inactive customer leaves
// at once.
func (svc *Service) Recheck(tx *db.Tx, s *store.Store, customerIDs ...string) error {
	if len(customerIDs) == 0 {
		return nil
	}
	if tx.NumbersEvents() { // nothing changes meanwhile
		if segments, err := svc.all(tx, s.Key); err != nil || len(existing(segments)) == 0 {
			return err
		}
	}
	var who []customer.Traits
	share, shared := store.Sharing(s.Key)
	err := tx.Run(customer.LockingTraits(tx, s.Key, customerIDs, &who), share, config.VersionsAgain(tx, s.Key))
	if err != nil {
		return err
	}
	segments, err := svc.all(tx, s.Key)
	if segments = existing(segments); err != nil || len(who) == 0 || len(segments) == 0 {
		return err
	}
	shop, err := shared()
	if err != nil {
		return err
	}
	changes, err := svc.decide(tx, shop, segments, who, func(s *Segment, f *Facts, now memberState) memberState {
		return svc.rechecked(s, shop, f, now, tx.Now())
	})
	if err != nil || len(changes) == 0 {
		return err
	}
	return apply(tx, shop.Key, changes)
}

// Follow updates the memberships of customers whose points, level or coupons have changed, in a later transaction than
// the change. It costs next to nothing if no active segment depends on these.
func (svc *Service) Follow(tx *db.Tx, s *store.Store, customerIDs ...string) error {
	segments, err := svc.all(tx, s.Key)
	if err != nil {
		return err
	}
	if segments = existing(segments); svc.counters(segments, s.Zone).needs == 0 {
		return nil
	}
	return svc.Recheck(tx, s, customerIDs...)
}

// rechecked returns the state of a customer in the segment after a change.
func (svc *Service) rechecked(s *Segment, shop *store.Store, f *Facts, now memberState, at time.Time) memberState {
	switch {
	case f.Status == customer.Deleted:
		return memberState{}
	case !s.Active:
		return now // inactive segments keep their members
	}
	basis := s.basis(shop, at)
	basis.Day = max(basis.Day, s.NextBasis.Day) // the operation may have begun yesterday
	belongs := svc.matches(s.Parts, f, basis)
	if s.Open && s.Basis.Version == s.Version || !f.IsActive() {
		return memberState{now: belongs, next: belongs}
	}
	return memberState{now: now.now, next: belongs}
}
