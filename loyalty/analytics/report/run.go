package report

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// leaseTerm is for how long a run holds a report without a step. Then another run takes over.
const leaseTerm = 15 * time.Second

// Service computes reports.
type Service struct {
	wakeups store.Wakeups
}

// New returns a service.
func New() *Service { return &Service{wakeups: store.NewWakeups()} }

// Run computes reports as soon as they are asked for, one after the other, until ctx ends.
func (svc *Service) Run(ctx context.Context, d *db.DB) {
	svc.wakeups.Run(ctx, d, 1, "could not compute reports, the job will retry", Compute)
}

// Compute computes the reports of a store that no other run holds, and returns the number of rows that it has read. It
// is also the job that continues reports after a crash.
func Compute(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	ctx = db.InBackground(ctx)
	var open []Report
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		open, err = reports.All(tx, `SELECT * FROM reports
			WHERE store_id = ? AND state IN ('waiting', 'running') ORDER BY report_id`, s.Key)
		return err
	})
	for i := 0; i < len(open) && err == nil && ctx.Err() == nil; i++ {
		k := findKind(open[i].Kind)
		if k == nil {
			continue // of another version of the program
		}
		var r *Report
		if r, err = claim(ctx, d, s, open[i].ID); err == nil && r != nil {
			var n int64
			n, err = k.compute(ctx, d, s, r)
			done += n
		}
	}
	return done, err
}

// claim takes the lease of a report, and returns nil if another run holds it or there is nothing left to do.
func claim(ctx context.Context, d *db.DB, s *store.Store, id string) (claimed *Report, err error) {
	err = store.Write(ctx, d, s, func(tx *db.Tx) error {
		claimed = nil
		r, err := lockReport(tx, s.Key, id)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil || r.isHeld(tx.ServerNow()) || r.State != Waiting && r.State != Running {
			return err
		}
		r.owner, r.State, r.leaseUntil = tx.NewID(), Running, tx.ServerNow().Add(leaseTerm)
		claimed = r
		return save(tx, r)
	})
	return claimed, err
}

// isHeld reports whether a run holds the lease. One that ends later than any run could have set it is void: the clock
// was ahead when it was set.
func (r *Report) isHeld(now time.Time) bool {
	return r.owner != "" && now.Before(r.leaseUntil) && !r.leaseUntil.After(now.Add(leaseTerm))
}

// errStopped is the error of a run that lost its report: it was cancelled or deleted, or another run has taken over.
var errStopped = errors.New("the report was cancelled or taken over")

// compute reads what is left of a report. It stores what it has found after every step, so that another run can go on.
func (k *kind) compute(ctx context.Context, d *db.DB, s *store.Store, r *Report) (done int64, err error) {
	sums, err := k.found(r)
	if err != nil {
		return 0, err
	}
	for more := true; more && ctx.Err() == nil; {
		var n int64
		var position string
		err := store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
			n, position, more, err = sums.read(tx, s, r)
			return err
		})
		if err != nil {
			return done, err
		}
		found, err := json.Marshal(sums)
		if err != nil {
			return done, err
		}
		err = store.Write(ctx, d, s, func(tx *db.Tx) error {
			now, err := lockReport(tx, s.Key, r.ID)
			if errors.Is(err, fault.ErrNotFound) || err == nil && (now.State != Running || now.owner != r.owner) {
				return errStopped
			}
			if err != nil {
				return err
			}
			now.Read, now.Sums, now.Position, now.leaseUntil = now.Read+n, found, position, tx.ServerNow().Add(leaseTerm)
			if !more {
				now.State, now.owner, now.FinishedAt = Finished, "", tx.Now()
			}
			tx.AfterCommit(func() { r = now })
			return save(tx, now)
		})
		if errors.Is(err, errStopped) {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}
