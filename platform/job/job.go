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
	pollEvery    = time.Second      // interval of looking for due jobs
	retryAfter   = time.Minute      // maximum delay before a failed run is repeated
	maxErrorText = 1000             // bytes of an error that are stored
	storeTimeout = 10 * time.Second // for storing an outcome, also during shutdown
)

// Job is periodic work. It may be interrupted at any time and started again, so Run works in small
// transactions that each leave consistent data, and returns soon after ctx ends.
type Job struct {
	Name  string
	Every time.Duration
	Run   func(ctx context.Context) (done int64, err error) // done is how many rows it handled
}

// State is the stored state of a job.
type State struct {
	Name       string
	Owner      string // node and id of the run that holds the lease; empty when none does
	LeaseUntil time.Time
	BeganAt    time.Time // start of the run that holds the lease
	LastRunAt  time.Time // start of the last finished run; zero before the first
	LastEndAt  time.Time
	LastNode   string // of that run
	NextRunAt  time.Time
	Done       int64  // rows handled by the last run
	Error      string // of the last run
}

// Running reports whether a node is running the job: its lease has not expired.
func (s *State) Running(now time.Time) bool { return s.Owner != "" && now.Before(s.LeaseUntil) }

// Node returns the node that runs the job, empty when none does.
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
	lastLook   time.Time // when due jobs were last looked up; zero before the first
}

// NewRunner returns a runner. Every process needs its own node name, so that a restarted one does
// not take over the leases of its predecessor.
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

// Run runs due jobs until ctx ends, and returns when the last one has stopped.
func (r *Runner) Run(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	defer r.running.Wait()
	for {
		if err := r.startDue(ctx); err != nil && ctx.Err() == nil {
			r.db.Log().Warn("cannot start jobs", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// RunDue runs all jobs that are due and not running on any node, concurrently, and returns when they
// have ended. A new job is due at once.
func (r *Runner) RunDue(ctx context.Context) error {
	err := r.startDue(ctx)
	r.running.Wait()
	return err
}

func (r *Runner) startDue(ctx context.Context) error {
	now := r.db.Now()
	if r.lastLook.IsZero() || now.Before(r.lastLook) { // after the clock was set back, next runs may be too far away
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
		job, known := r.jobs[name] // another version of the program may have more jobs
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
		if err := register(tx, name, tx.Now().UnixMicro()); err != nil {
			return err
		}
		if err := limitWait(tx, name, tx.Now().Add(job.Every)); err != nil {
			return err
		}
	}
	return nil
}
