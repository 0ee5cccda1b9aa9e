package segment

import (
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// facts reads what the segments ask about customers, for those who are active: the others are in no segment.
func facts(tx *db.Tx, storeKey int64, segments []Segment, who []customer.Traits, zone *time.Location) (
	map[string]*Facts, error) {
	asked, known, ids := neededFacts(segments, zone), map[string]*Facts{}, []string(nil)
	for i := range who {
		known[who[i].ID] = asked.newFacts(who[i])
		if who[i].IsActive() {
			ids = append(ids, who[i].ID)
		}
	}
	if asked.lists && len(ids) > 0 {
		err := eachListed(tx, storeKey, ids, func(customerID, criterionID string) {
			known[customerID].Listed[criterionID] = true
		})
		if err != nil {
			return nil, err
		}
	}
	if !asked.sales || len(ids) == 0 {
		return known, nil
	}
	return known, transaction.SalesOf(tx, storeKey, ids, asked.items, func(sale *transaction.Sale) {
		known[sale.CustomerID].addSale(asked, sale)
	})
}

// decision is what a standing should be.
type decision func(s *Segment, f *Facts, now memberState) memberState

// decide compares the memberships of customers with what decision makes of the facts. The memberships are read last:
// where nobody holds the customers, a change in between shows as a difference, and is decided again with them held.
func decide(tx *db.Tx, shop *store.Store, segments []Segment, who []customer.Traits, decision decision) (
	[]change, error) {
	known, err := facts(tx, shop.Key, segments, who, shop.Zone)
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

// Recheck works out the memberships of one customer after something of his changed: his data, his labels, or what
// he bought. It belongs at the end of that operation: it holds the customer, then his store, shared. Members of a
// segment whose own rules changed are replaced by its rebuild only; a customer who is not active leaves at once.
func Recheck(tx *db.Tx, s *store.Store, customerID string) error {
	who, err := customer.LockTraits(tx, s.Key, customerID)
	if err != nil || len(who) == 0 {
		return err
	}
	shop, err := store.Share(tx, s.Key)
	if err != nil {
		return err
	}
	segments, err := existing(tx, shop.Key)
	if err != nil || len(segments) == 0 {
		return err
	}
	changes, err := decide(tx, shop, segments, who, func(s *Segment, f *Facts, now memberState) memberState {
		return s.rechecked(shop, f, now, tx.Now)
	})
	if err != nil || len(changes) == 0 {
		return err
	}
	return apply(tx, shop.Key, changes)
}

// rechecked is where a customer should stand after a change of his.
func (s *Segment) rechecked(shop *store.Store, f *Facts, now memberState, at time.Time) memberState {
	switch {
	case f.Status == customer.Deleted:
		return memberState{}
	case !s.Active:
		return now // frozen
	}
	basis := s.basis(shop, at)
	basis.Day = max(basis.Day, s.NextBasis.Day) // an operation of yesterday may end today
	belongs := matches(s.Parts, f, basis)
	if s.Open && s.Basis.Version == s.Version || !f.IsActive() {
		return memberState{now: belongs, next: belongs}
	}
	return memberState{now: now.now, next: belongs}
}
