package segment

import (
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// Counted rechecks the customers of documents.
func (svc *Service) Counted(tx *db.Tx, s *store.Store, e transaction.Counted) error {
	return svc.Recheck(tx, s, e.CustomerIDs...)
}

// reactions keep the segments of customers, and answer who is in which.
func (svc *Service) reactions() []feature.Reaction {
	return []feature.Reaction{
		feature.On(func(tx *db.Tx, s *store.Store, e customer.Registered) error {
			return svc.Recheck(tx, s, customer.IDs(e.Customers)...)
		}),
		feature.On(func(tx *db.Tx, s *store.Store, e customer.Imported) error {
			return svc.Recheck(tx, s, customer.IDs(e.Customers)...)
		}),
		feature.On(svc.Counted),
		feature.On(func(tx *db.Tx, s *store.Store, e customer.Changed) error { return svc.Recheck(tx, s, e.After.ID) }),
		feature.On(func(tx *db.Tx, s *store.Store, e customer.Merged) error {
			return svc.Recheck(tx, s, e.TargetID, e.MergedID)
		}),
		feature.On(func(tx *db.Tx, s *store.Store, e customer.Ranked) error { return svc.Follow(tx, s, e.CustomerIDs...) }),
		feature.On(func(tx *db.Tx, s *store.Store, q *customerapi.SegmentsOf) (err error) {
			q.Segments, err = OfCustomers(tx, s.Key, q.CustomerIDs...)
			return err
		}),
		feature.On(func(_ *db.Tx, s *store.Store, q *customerapi.MembersOf) error {
			q.Query = MemberIDs(s.Key, q.SegmentID)
			return nil
		}),
	}
}
