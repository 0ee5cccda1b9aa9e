// Package job runs scheduled work on one node among many, under a lease in the database.
package job

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"punchcard/platform/db"
)

const (
	pollEvery    = time.Second      // looks for what is due
	retryAfter   = time.Minute      // a run that failed is tried again after this time at the latest
	maxErrorText = 1000             // bytes of an error that are stored
	storeTimeout = 10 * time.Second // for an outcome, also while the process stops
)

// Job is work that is due again and again. It may be stopped at any moment and run again from its
// beginning, so Run works in small transactions that each leave a whole state, and ends soon after ctx.
type Job struct {
	Name  string
	Every time.Duration
	Run   func(ctx context.Context) (done int64, err error) // done is how many rows it handled
}

// State is what is known about a job.
type State struct {
	Name       string
	Owner      string // the run that has the lease: node and id of the run; empty when none
	LeaseUntil time.Time
	BeganAt    time.Time // of the run that has the lease
	LastRunAt  time.Time // when the last run that ended began; zero before the first
	LastEndAt  time.Time
	LastNode   string // of that run
	NextRunAt  time.Time
	Done       int64  // rows handled by the last run
	Error      string // of the last run
}

// Running tells whether a node has the job: its lease counts at the moment.
func (s *State) Running(now time.Time) bool { return s.Owner != "" && now.Before(s.LeaseUntil) }

// Node is the node that runs the job, empty when none does.
func (s *State) Node() string { return nodeOf(s.Owner) }

func nodeOf(owner string) string {
	node, _, _ := strings.Cut(owner, "/")
	return node
}

// Runner runs the jobs of one node.
type Runner struct {
	db         *db.DB
	node       string
	jobs       map[string]Job
	renewEvery time.Duration
	running    sync.WaitGroup
	lastLook   time.Time // at what is due; zero before the first
}

// NewRunner makes a runner; every process has a node name of its own, so that a restarted one does not
// take the leases of its predecessor for its own.
func NewRunner(d *db.DB, node string, jobs ...Job) *Runner {
	r := &Runner{db: d, node: node, jobs: map[string]Job{}, renewEvery: LeaseTerm / 4}
	for _, j := range jobs {
		if _, twice := r.jobs[j.Name]; twice || j.Name == "" || j.Every <= 0 || j.Run == nil {
			panic(fmt.Sprintf("job %q is incomplete or listed twice", j.Name))
		}
		r.jobs[j.Name] = j
	}
	return r
}

// Run runs what is due until ctx ends, and returns when the last job has stopped.
func (r *Runner) Run(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	defer r.running.Wait()
	for {
		if err := r.startDue(ctx); err != nil && ctx.Err() == nil {
			r.db.Log().Warn("jobs are not started", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// RunDue runs every job that is due now and that no node runs, all at once, and returns when they ended.
// A job that is new is due at once.
func (r *Runner) RunDue(ctx context.Context) error {
	err := r.startDue(ctx)
	r.running.Wait()
	return err
}

func (r *Runner) startDue(ctx context.Context) error {
	now := r.db.Now()
	if r.lastLook.IsZero() || now.Before(r.lastLook) { // a clock that was set back leaves runs that are too far away
		if err := r.db.Write(ctx, r.register); err != nil {
			return err
		}
	}
	r.lastLook = now
	var due []string
	err := r.db.Read(ctx, func(tx *db.Tx) (err error) {
		due, err = dueNames(tx)
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range due {
		job, known := r.jobs[name] // another program's version may have more jobs
		if !known {
			continue
		}
		run := r.newRun(job)
		claimed, err := run.claim(ctx)
		if err != nil {
			return err
		}
		if claimed {
			r.running.Go(func() { run.do(ctx) })
		}
	}
	return nil
}

func (r *Runner) register(tx *db.Tx) error {
	for name, job := range r.jobs {
		if err := register(tx, name, tx.Now.UnixMicro()); err != nil {
			return err
		}
		if err := limitWait(tx, name, tx.Now.Add(job.Every)); err != nil {
			return err
		}
	}
	return nil
}
