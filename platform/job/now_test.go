package job

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func TestRunNow(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		runs := 0
		var failure error
		job := Job{Name: "hourly", Every: time.Hour, Run: func(context.Context) (int64, error) {
			runs++
			return int64(runs) * 10, failure
		}}
		runners := [2]*Runner{NewRunner(nodes[0], "one", job), NewRunner(nodes[1], "two", job)}
		for i, want := range []Result{{10, "", true}, {20, "", true}, {30, "no luck", true}} {
			if i == 2 {
				failure = errors.New("no luck")
			}
			clock.Advance(time.Minute)
			got, err := runners[i%2].RunNow(t.Context(), "hourly")
			state := statusOf(t, nodes[1-i%2])[0]
			next := clock.Now().Add(time.Hour)
			if failure != nil {
				next = clock.Now().Add(retryAfter)
			}
			if err != nil || got != want || !state.NextRunAt.Equal(next) || state.LastNode != []string{"one", "two", "one"}[i] ||
				!state.BeganAt.IsZero() || state.Error != want.Error {
				t.Errorf("run %d: %+v, %v, state %+v", i, got, err, state)
			}
		}
		if _, err := runners[0].RunNow(t.Context(), "daily"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("an unknown job: %v", err)
		}
	})
}

// RunNow waits for a run on another node, until its own deadline.
func TestRunNowWaits(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		started, end := make(chan struct{}, 9), make(chan struct{})
		job := Job{Name: "slow", Every: time.Hour, Run: func(context.Context) (int64, error) {
			started <- struct{}{}
			<-end
			return 7, nil
		}}
		first, second := NewRunner(nodes[0], "one", job), NewRunner(nodes[1], "two", job)
		if err := first.startDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-started
		short, cancel := context.WithTimeout(t.Context(), 5*askEvery)
		defer cancel()
		if _, err := second.RunNow(short, "slow"); !errors.Is(err, ErrRunning) {
			t.Errorf("it runs: %v", err)
		}
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if got, err := second.RunNow(t.Context(), "slow"); err != nil || (got != Result{7, "", true}) {
				t.Errorf("%+v, %v", got, err)
			}
		})
		close(end)
		waiting.Wait()
		first.running.Wait()
		if len(started) != 1 {
			t.Errorf("%d more runs, want 1", len(started))
		}
	})
}

// Work that is interrupted by a deadline or a shutdown is due at once, on any node.
func TestBrokenOffRunIsDueAtOnce(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		left := 10
		started := make(chan struct{})
		job := Job{Name: "batches", Every: time.Hour, Run: func(ctx context.Context) (done int64, err error) {
			for left > 0 {
				if left--; left == 5 {
					close(started)
					<-ctx.Done()
				}
				if done++; ctx.Err() != nil {
					return done, nil
				}
			}
			return done, nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-started
			cancel()
		}()
		got, err := NewRunner(nodes[0], "one", job).RunNow(ctx, "batches")
		if err != nil || (got != Result{5, "", false}) {
			t.Errorf("%+v, %v", got, err)
		}
		runDue(t, NewRunner(nodes[1], "two", job))
		if state := statusOf(t, nodes[0])[0]; state.Done != 5 || left != 0 || state.LastNode != "two" {
			t.Errorf("%d left, %+v", left, state)
		}
	})
}
