package segment

import (
	"context"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

const (
	chunk      = 500  // customers per batch of a rebuild
	sweepLimit = 1000 // memberships deleted per transaction
)

// rebuild computes the next generation of some segments of a store. It scans customers without locks, and
// locks only those whose memberships differ. Customers who change meanwhile are handled by Recheck, also for
// the next generation.
type rebuild struct {
	*Service
	db       *db.DB
	shop     *store.Store
	segments []Segment // as of the beginning; dropped when they change meanwhile
	changed  int64     // number of memberships
}

// due reports whether the members must be rebuilt: the rules changed, the segment was activated, or a new day
// began in the store.
func (s *Segment) due(basis Basis) bool {
	return s.Active && !s.Deleted && (!s.Open || s.Basis != basis)
}

// Rebuild rebuilds the members of one segment if it is due, or of all due segments of the store if id is
// empty. Readers see the former members until it is complete, and then all new ones at once. It returns the
// number of memberships that changed.
func (svc *Service) Rebuild(ctx context.Context, d *db.DB, storeKey int64, id string) (changed int64, err error) {
	r := &rebuild{Service: svc, db: d}
	err = d.Write(ctx, func(tx *db.Tx) error { return r.begin(tx, storeKey, id) })
	for after, more := "", true; err == nil && more && len(r.segments) > 0; {
		after, more, err = r.step(ctx, after)
	}
	if err != nil || len(r.segments) == 0 {
		return r.changed, err
	}
	if err := store.Write(ctx, d, r.shop, r.finish); err != nil {
		return r.changed, err
	}
	for i := range r.segments {
		if err := sweepAll(ctx, d, r.shop, &r.segments[i]); err != nil {
			return r.changed, err
		}
	}
	return r.changed, nil
}

// begin stores the basis of the next generation. It locks the store, so that every Recheck either has ended
// before or uses the new rules.
func (r *rebuild) begin(tx *db.Tx, storeKey int64, id string) (err error) {
	if r.shop, err = store.Lock(tx, storeKey); err != nil {
		return err
	}
	segments, err := r.all(tx, storeKey)
	if err != nil {
		return err
	}
	now := r.shop.Tx(tx).Now()
	r.segments = slices.DeleteFunc(segments, func(s Segment) bool {
		return id != "" && s.ID != id || !s.due(s.basis(r.shop, now))
	})
	for i := range r.segments {
		s := &r.segments[i]
		s.NextBasis = s.basis(r.shop, now)
		if err := updateSegment(tx, s); err != nil {
			return err
		}
	}
	return nil
}

// step handles the customers that follow an id.
func (r *rebuild) step(ctx context.Context, after string) (last string, more bool, err error) {
	var different []string
	err = store.Read(ctx, r.db, r.shop, func(tx *db.Tx) error {
		who, err := customer.TraitsAfter(tx, r.shop.Key, after, chunk)
		if err != nil || len(who) == 0 {
			return err
		}
		last, more = who[len(who)-1].ID, len(who) == chunk
		changes, err := r.decide(tx, r.shop, r.segments, who, r.next)
		for i := range changes {
			different = append(different, changes[i].customerID)
		}
		return err
	})
	if err != nil || len(different) == 0 {
		return last, more, err
	}
	return last, more, store.Write(ctx, r.db, r.shop, func(tx *db.Tx) error {
		return r.writeChanges(tx, db.Distinct(different))
	})
}

// next returns the state of a customer with the membership that the next generation should have.
func (r *rebuild) next(s *Segment, f *Facts, now memberState) memberState {
	return memberState{now: now.now, next: r.matches(s.Parts, f, s.NextBasis)}
}

// writeChanges decides again with the customers locked, and writes the differences.
func (r *rebuild) writeChanges(tx *db.Tx, ids []string) error {
	who, err := customer.LockTraits(tx, r.shop.Key, ids...)
	if err != nil {
		return err
	}
	if _, err := store.Share(tx, r.shop.Key); err != nil {
		return err
	}
	if err := r.dropChanged(tx); err != nil || len(r.segments) == 0 {
		return err
	}
	changes, err := r.decide(tx, r.shop, r.segments, who, r.next)
	if err != nil || len(changes) == 0 {
		return err
	}
	tx.AfterCommit(func() { r.changed += int64(len(changes)) })
	return apply(tx, r.shop.Key, changes)
}

// dropChanged drops the segments that were changed, deleted or rebuilt by others since the rebuild began. A
// later rebuild handles them.
func (r *rebuild) dropChanged(tx *db.Tx) error {
	present, err := r.all(tx, r.shop.Key)
	present = existing(present)
	r.segments = slices.DeleteFunc(slices.Clone(r.segments), func(s Segment) bool {
		return !slices.ContainsFunc(present, func(p Segment) bool {
			return p.ID == s.ID && p.Active && p.Version == s.Version && p.Generation == s.Generation &&
				p.NextBasis == s.NextBasis
		})
	})
	return err
}

// finish publishes the next generation to readers.
func (r *rebuild) finish(tx *db.Tx) error {
	if _, err := store.Lock(tx, r.shop.Key); err != nil {
		return err
	}
	if err := r.dropChanged(tx); err != nil {
		return err
	}
	for i := range r.segments {
		if err := publish(tx, &r.segments[i]); err != nil {
			return err
		}
	}
	return nil
}

// sweepAll deletes the memberships that count in no generation any more, in batches.
func sweepAll(ctx context.Context, d *db.DB, shop *store.Store, s *Segment) error {
	for swept := int64(sweepLimit); swept == sweepLimit || swept > 0 && s.Deleted; {
		err := store.Write(ctx, d, shop, func(tx *db.Tx) (err error) {
			swept, err = sweep(tx, s, sweepLimit)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// RebuildDue is the job that rebuilds the due segments of a store, and deletes the rest of deleted ones. It
// returns the number of memberships that changed. It skips inactive stores.
func (svc *Service) RebuildDue(ctx context.Context, d *db.DB, shop *store.Store) (changed int64, err error) {
	if !shop.Active {
		return 0, nil
	}
	var segments []Segment
	due := false
	err = store.Read(ctx, d, shop, func(tx *db.Tx) (err error) {
		segments, err = svc.all(tx, shop.Key)
		for i := range segments {
			due = due || segments[i].due(segments[i].basis(shop, tx.Now()))
		}
		return err
	})
	for i := range segments {
		if segments[i].Deleted && err == nil {
			err = sweepAll(ctx, d, shop, &segments[i])
		}
	}
	if err != nil || !due {
		return 0, err
	}
	return svc.Rebuild(ctx, d, shop.Key, "")
}
