package job

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// run is one run of a job. Its owner is unique, so that a run that lost its lease cannot change the
// state of the next one.
type run struct {
	*Runner
	job   Job
	owner string
	due   time.Time
	until time.Time // when the lease expires
}

func (r *Runner) newRun(job Job) *run {
	return &run{Runner: r, job: job, owner: r.node + "/" + db.NewID()}
}

type outcome struct {
	began, ended, next time.Time
	done               int64
	failure            string
	complete           bool // not interrupted
}

func (r *run) claim(ctx context.Context) (claimed bool, err error) {
	err = r.db.Write(ctx, func(tx *db.Tx) error {
		r.until = tx.Now().Add(LeaseTerm)
		r.due, claimed, err = claim(tx, r.job.Name, r.owner, r.until)
		return err
	})
	return claimed, err
}

var errLeaseLost = errors.New("the lease of the job ran out")

func (r *run) do(ctx context.Context) outcome {
	working, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { r.keep(working, stop) })
	result := outcome{began: r.db.Now()}
	var err error
	result.done, err = r.protected(working)
	lost := errors.Is(context.Cause(working), errLeaseLost)
	stop(nil)
	renewing.Wait()
	result.ended, result.complete = r.db.Now(), !lost && ctx.Err() == nil

	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	log := r.db.Log().With("job", r.job.Name)
	switch {
	case lost:
		log.Warn("job stopped because its lease expired", "error", err)
		return result
	case !result.complete: // such as on shutdown: another run is due at once
		err = r.db.Write(storing, func(tx *db.Tx) error { return release(tx, r.job.Name, r.owner) })
	default:
		if err != nil {
			log.Error("job failed", "error", err)
			result.failure = short(err)
		}
		result.next = r.next(err != nil)
		err = r.db.Write(storing, func(tx *db.Tx) error { return finish(tx, r.job.Name, r.owner, result) })
	}
	if err != nil {
		log.Error("cannot store the outcome of a job; it runs again when its lease expires", "error", err)
	}
	return result
}

// next returns the next scheduled time after now. Missed runs are skipped. After a failure it is at
// most retryAfter ahead.
func (r *run) next(failed bool) time.Time {
	now := r.db.Now()
	next := r.due.Add(max(0, now.Sub(r.due))/r.job.Every*r.job.Every + r.job.Every)
	if again := now.Add(retryAfter); failed && again.Before(next) {
		return again
	}
	return next
}

// keep renews the lease until the work ends. It stops the work when another node holds the lease, or
// when the database was unreachable until the lease expired.
func (r *run) keep(working context.Context, stop context.CancelCauseFunc) {
	ticker := time.NewTicker(r.renewEvery)
	defer ticker.Stop()
	for {
		select {
		case <-working.Done():
			return
		case <-ticker.C:
		}
		until := r.db.Now().Add(LeaseTerm)
		held := false
		waiting, cancel := context.WithTimeout(working, r.renewEvery)
		err := r.db.Write(waiting, func(tx *db.Tx) (err error) {
			held, err = renew(tx, r.job.Name, r.owner, until)
			return err
		})
		cancel()
		switch {
		case err == nil && held:
			r.until = until
		case err == nil, !r.db.Now().Before(r.until):
			stop(errLeaseLost)
			return
		}
	}
}

// protected runs the job and turns a panic into an error.
func (r *run) protected(ctx context.Context) (done int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.db.Log().Error("panic in a job", "job", r.job.Name, "panic", fault.PanicText(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %s", fault.PanicText(p))
		}
	}()
	return r.job.Run(db.InBackground(ctx))
}

func short(err error) string {
	text := strings.ToValidUTF8(err.Error(), "?")
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "")
	}
	return strings.ReplaceAll(text, "\x00", "")
}
