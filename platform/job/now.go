package job

import (
	"context"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrRunning means that another run of the job takes longer than the caller waits.
var ErrRunning = fault.New(fault.Conflict, "job_running", "The job is running.").After(retryAfter)

// askEvery is the interval of checks whether the present run has ended.
const askEvery = 50 * time.Millisecond

// Result is the outcome of RunNow.
type Result struct {
	Done     int64  // rows handled
	Error    string // empty when there was none
	Complete bool   // false when ctx ended first: another run is due at once
}

// RunNow runs a job at once, due or not. It first waits for a run in progress, on any node. It stops
// when ctx ends. The error for an unknown name is fault.ErrNotFound.
func (r *Runner) RunNow(ctx context.Context, name string) (Result, error) {
	job, known := r.jobs[name]
	if !known {
		return Result{}, fault.ErrNotFound
	}
	if err := r.db.Write(ctx, r.register); err != nil {
		return Result{}, err
	}
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	for {
		run := r.newRun(job)
		claimed, err := run.claimNow(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			return Result{}, err
		case claimed:
			o := run.do(ctx)
			return Result{o.done, o.failure, o.complete}, nil
		}
		select {
		case <-ctx.Done():
			return Result{}, ErrRunning
		case <-ticker.C:
		}
	}
}

// claimNow claims a job that no node is running.
func (r *run) claimNow(ctx context.Context) (claimed bool, err error) {
	free := false
	err = r.db.Read(ctx, func(tx *db.Tx) error {
		free, err = leaseIsFree(tx, r.job.Name, r.owner)
		return err
	})
	if err != nil || !free {
		return false, err
	}
	err = r.db.Write(ctx, func(tx *db.Tx) error {
		if err := limitWait(tx, r.job.Name, tx.Now()); err != nil {
			return err
		}
		r.until = tx.Now().Add(LeaseTerm)
		r.due, claimed, err = claim(tx, r.job.Name, r.owner, r.until)
		return err
	})
	return claimed && err == nil, err
}
