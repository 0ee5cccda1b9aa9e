package bulk

import (
	"context"
	"errors"

	"punchcard/core/store"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// chunk is how many customers one transaction changes: few, so that other writes do not wait long.
const chunk = 50

// Run begins actions as soon as they are asked for, until ctx ends.
func (svc *Service) Run(ctx context.Context, d *db.DB) {
	svc.wakeups.Run(ctx, d, 1, "could not carry out bulk actions, the job will retry", svc.Work)
}

// Work is the job that carries out actions and undoes them. It returns the number of customers that it visited.
func (svc *Service) Work(ctx context.Context, d *db.DB, s *store.Store) (visited int64, err error) {
	return store.InSteps(ctx, d, s, `SELECT action_id FROM bulk_actions
		WHERE store_id = ? AND state IN ('running', 'undoing') ORDER BY action_id`,
		func(ctx context.Context, id string) (int64, bool, error) { return svc.step(ctx, d, s, id) })
}

// step visits some customers of an action with its progress in one transaction, so that another run can go on after a
// crash, and nobody is visited twice. more is false if there is nothing left to do.
func (svc *Service) step(ctx context.Context, d *db.DB, s *store.Store, id string) (n int64, more bool, err error) {
	err = store.Write(ctx, d, s, func(tx *db.Tx) error {
		n, more = 0, false
		a, err := lockAction(tx, s.Key, id)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		switch a.State {
		case Running:
			n, err = svc.visit(tx, s, a)
		case Undoing:
			n, err = svc.undoOne(tx, s, a)
		default:
			return nil
		}
		if err != nil {
			return err
		}
		more = a.State == Running || a.State == Undoing
		return save(tx, a)
	})
	return n, more, err
}

// visit changes the next customers. After the last one the action is finished. It stops by itself if the segment to
// which customers are added is gone or full.
func (svc *Service) visit(tx *db.Tx, s *store.Store, a *Action) (int64, error) {
	ids, err := svc.next(tx, s, a)
	if err != nil {
		return 0, err
	}
	ids = ids[:min(int64(len(ids)), CustomersLimit-a.Visited)] // others may have come to match meanwhile
	if len(ids) == 0 {
		a.end(tx, Finished)
		return 0, nil
	}
	effects, err := findKind(a.Kind).apply(svc, tx, s, a, ids)
	if errors.Is(err, fault.ErrNotFound) || errors.Is(err, segment.ErrNoList) || errors.Is(err, segment.ErrListFull) {
		a.end(tx, Stopped)
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for i := range effects {
		if effects[i].result == done {
			a.Changed++
		}
		effects[i].storeKey, effects[i].actionID = s.Key, a.ID
	}
	a.Visited, a.After = a.Visited+int64(len(ids)), ids[len(ids)-1]
	return int64(len(ids)), effectTable.Insert(tx, db.Pointers(effects)...)
}

// undoOne takes the action back from the next customer. Each has a transaction of their own, because it locks more than
// that customer.
func (svc *Service) undoOne(tx *db.Tx, s *store.Store, a *Action) (int64, error) {
	e, found, err := effectTable.One(tx, `SELECT * FROM bulk_effects
		WHERE store_id = ? AND action_id = ? AND customer_id > ? AND result = 'done' AND outcome = ''
		ORDER BY customer_id LIMIT 1`, s.Key, a.ID, a.After)
	if err != nil {
		return 0, err
	}
	if !found {
		a.end(tx, Undone)
		return 0, nil
	}
	if e.outcome, err = findKind(a.Kind).undo(svc, tx, s, a, e); err != nil {
		return 0, err
	}
	if e.outcome == dataimport.OutcomeUndone {
		a.Undone++
	} else {
		a.Remaining++
	}
	a.After = e.customerID
	return 1, effectTable.Update(tx, "outcome", &e)
}

// Expire is the job that deletes actions that ended long ago, and what they did to whom.
func Expire(ctx context.Context, d *db.DB, s *store.Store) (deleted int64, err error) {
	const atOnce = 1_000
	for more := true; more && err == nil && ctx.Err() == nil; {
		err = store.Write(ctx, d, s, func(tx *db.Tx) error {
			id, err := db.Value[string](tx, `SELECT action_id FROM bulk_actions WHERE store_id = ?
				AND state IN ('finished', 'stopped', 'undone') AND finished_at < ? ORDER BY action_id LIMIT 1`,
				s.Key, tx.Now().Add(-Retention).UnixMicro())
			if more = err == nil && id != ""; !more {
				return err
			}
			n, err := tx.DeleteSome("bulk_effects", "store_id, action_id, customer_id",
				db.NewSQL("store_id = ? AND action_id = ?", s.Key, id), atOnce)
			deleted += n
			if err != nil || n == atOnce {
				return err
			}
			_, err = tx.Exec(`DELETE FROM bulk_actions WHERE store_id = ? AND action_id = ?`, s.Key, id)
			return err
		})
	}
	return deleted, err
}
