package membership

import (
	"context"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// SettlePoints is the job that unlocks and expires points: it settles the accounts of a store that are due
// and checks their owners' levels. It returns the number of accounts.
func SettlePoints(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	for done := batchSize; done == batchSize && ctx.Err() == nil; total += int64(done) {
		err := store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
			done, err = settleSome(tx, s)
			return err
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

func settleSome(tx *db.Tx, s *store.Store) (done int, err error) {
	owners, err := points.Due(tx, s, batchSize)
	if err != nil || len(owners) == 0 {
		return 0, err
	}
	ids := make([]string, len(owners))
	for i := range owners {
		ids[i] = owners[i].CustomerID
	}
	members, err := Lock(tx, s, ids...)
	if err != nil {
		return 0, err
	}
	for _, one := range members.order {
		members.PointsChanged(one)
	}
	return len(owners), members.Save()
}

// RecheckLevels is the job that recalculates the levels of customers who are due, and moves customers out of
// deleted levels. It returns the number of customers it checked.
func RecheckLevels(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	if level.DropsAfterDays(&s.Settings) && s.Settings.LevelDowngradeDays > 0 {
		if total, err = inParts(ctx, d, s, recheckDue(s)); err != nil {
			return total, err
		}
	}
	var levels []level.Level
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		levels, err = level.Counted(tx, s.Key)
		return err
	})
	if err != nil {
		return total, err
	}
	for _, l := range levels {
		if !l.Deleted || l.Customers == 0 {
			continue
		}
		done, err := inParts(ctx, d, s, leaveLevel(s, l.ID))
		total += done
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// part handles some customers, the first of them after one, and returns their ids.
type part func(tx *db.Tx, after string) (ids []string, err error)

func recheckDue(s *store.Store) part {
	return func(tx *db.Tx, _ string) ([]string, error) {
		ids, err := customer.DueForCheck(tx, s.Key, dueSince(s, tx.Now()), batchSize)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		due, err := Lock(tx, s, ids...)
		if err != nil {
			return nil, err
		}
		return ids, due.recalculate()
	}
}

// leaveLevel moves customers out of a deleted level.
func leaveLevel(s *store.Store, id string) part {
	return func(tx *db.Tx, after string) ([]string, error) {
		ids, err := customer.MembersOf(tx, s.Key, id, after, batchSize)
		if err != nil {
			return nil, err
		}
		members, err := Lock(tx, s, ids...)
		if err != nil {
			return nil, err
		}
		return ids, members.review(func(c *customer.Customer) bool { return c.LevelID == id })
	}
}

// inParts handles customers in batches, one transaction each, in the order of ids. It stops after a batch
// that is not full.
func inParts(ctx context.Context, d *db.DB, s *store.Store, run part) (total int64, err error) {
	last := ""
	for done := batchSize; done == batchSize && ctx.Err() == nil; total += int64(done) {
		var ids []string
		err := store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
			ids, err = run(tx, last)
			return err
		})
		if err != nil {
			return total, err
		}
		if done = len(ids); done > 0 {
			last = ids[done-1]
		}
	}
	return total, nil
}
