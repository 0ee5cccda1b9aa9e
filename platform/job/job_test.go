package job

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

func startClock() *dbtest.Clock { return dbtest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)) }

// onNodes runs the test with two nodes on one database of every engine.
func onNodes(t *testing.T, run func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB)) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock, config := startClock(), dbtest.Config(t, engine)
			run(t, clock, [2]*db.DB{dbtest.Open(t, config, clock.Now), dbtest.Open(t, config, clock.Now)})
		})
	}
}

func statusOf(t *testing.T, d *db.DB) []State {
	t.Helper()
	var states []State
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		states, err = Status(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return states
}

func runDue(t *testing.T, r *Runner) {
	t.Helper()
	if err := r.RunDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestScheduleIsKeptAndCaughtUpOnce(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		began, runs := clock.Now(), 0
		r := NewRunner(nodes[0], "node", Job{Name: "hourly", Every: time.Hour, Run: func(context.Context) (int64, error) {
			runs++
			return int64(runs) * 10, nil
		}})
		for _, step := range []struct {
			advance  time.Duration
			runs     int
			last     time.Duration // since began
			next     time.Duration
			comments string
		}{
			{0, 1, 0, time.Hour, "new jobs are due"},
			{59 * time.Minute, 1, 0, time.Hour, "not yet due"},
			{2 * time.Minute, 2, 61 * time.Minute, 2 * time.Hour, "late, but the schedule stays"},
			{59 * time.Minute, 3, 2 * time.Hour, 3 * time.Hour, "on time"},
			{5*time.Hour + time.Minute, 4, 7*time.Hour + time.Minute, 8 * time.Hour, "once for all that was missed"},
			{0, 4, 7*time.Hour + time.Minute, 8 * time.Hour, "done"},
		} {
			clock.Advance(step.advance)
			runDue(t, r)
			state := statusOf(t, nodes[1])[0]
			want := State{
				Name: "hourly", LeaseUntil: time.UnixMicro(0).UTC(), LastRunAt: began.Add(step.last),
				LastEndAt: began.Add(step.last), LastNode: "node", NextRunAt: began.Add(step.next),
				Done: int64(step.runs) * 10,
			}
			if runs != step.runs || state != want {
				t.Errorf("%s: %d runs, %+v, want %+v", step.comments, runs, state, want)
			}
		}
	})
}

func TestOneRunnerAmongMany(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		var running, runs atomic.Int64
		other := make(chan struct{})
		job := Job{Name: "alone", Every: time.Minute, Run: func(context.Context) (int64, error) {
			if running.Add(1) > 1 {
				t.Error("two runs at once")
			}
			runs.Add(1)
			<-other
			running.Add(-1)
			return 0, nil
		}}
		var runners []*Runner
		var waiting sync.WaitGroup
		for i := range 4 {
			r := NewRunner(nodes[i%2], db.NewID(), job)
			waiting.Go(func() {
				if err := r.startDue(t.Context()); err != nil {
					t.Error(err)
				}
			})
			runners = append(runners, r)
		}
		waiting.Wait()
		state := statusOf(t, nodes[0])[0]
		if state.LeaseUntil != clock.Now().Add(LeaseTerm) || state.BeganAt != clock.Now() ||
			!state.Running(clock.Now()) || state.Running(state.LeaseUntil) || len(state.Node()) != 36 {
			t.Errorf("the running job is %+v", state)
		}
		close(other)
		for _, r := range runners {
			r.running.Wait()
		}
		if runs.Load() != 1 {
			t.Errorf("%d runs", runs.Load())
		}
	})
}

func TestLongJobKeepsItsLeaseAndHoldsUpNobody(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		end := make(chan struct{})
		ran := make(chan struct{}, 2)
		r := NewRunner(nodes[0], "one",
			Job{Name: "long", Every: time.Minute, Run: func(ctx context.Context) (int64, error) {
				select {
				case <-end:
					return 5, nil
				case <-ctx.Done():
					return 0, ctx.Err()
				}
			}},
			Job{Name: "short", Every: time.Minute, Run: func(context.Context) (int64, error) {
				ran <- struct{}{}
				return 1, nil
			}})
		r.renewEvery = time.Millisecond
		commits := testwait.NewSignal()
		nodes[0].OnCommit(commits.Send)
		if err := r.startDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			clock.Advance(LeaseTerm / 2)
			commits.Until(t, "renewal", func() bool {
				return statusOf(t, nodes[1])[0].LeaseUntil.Equal(clock.Now().Add(LeaseTerm))
			})
		}
		clock.Advance(time.Minute)
		if err := r.startDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			testwait.Receive(t, "runs of the short job", ran)
		}
		close(end)
		r.running.Wait()
		if long := statusOf(t, nodes[1])[0]; long.Done != 5 || long.Error != "" || long.Owner != "" {
			t.Errorf("the long job ended as %+v", long)
		}
	})
}

func TestLeaseOfCrashedNodeRunsOut(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		runs := 0
		job := Job{Name: "job", Every: time.Hour, Run: func(context.Context) (int64, error) {
			runs++
			return 0, nil
		}}
		crashed := &run{Runner: NewRunner(nodes[0], "crashed", job), job: job, owner: "crashed/1"}
		if err := nodes[0].Write(t.Context(), crashed.register); err != nil {
			t.Fatal(err)
		}
		if claimed, err := crashed.claim(t.Context()); !claimed || err != nil {
			t.Fatal(claimed, err)
		}
		r := NewRunner(nodes[1], "alive", job)
		clock.Advance(LeaseTerm - time.Second)
		runDue(t, r)
		if runs != 0 {
			t.Error("a lease that is valid was taken")
		}
		clock.Advance(time.Second)
		runDue(t, r)
		if runs != 1 {
			t.Errorf("%d runs after the lease ran out", runs)
		}
	})
}

// A node that stalls past its lease notices it, stops its run, and does not change the state of the
// next run.
func TestLostLeaseStopsTheRun(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		started, end := make(chan struct{}), make(chan struct{})
		stalled := NewRunner(nodes[0], "stalled", Job{Name: "job", Every: time.Hour,
			Run: func(ctx context.Context) (int64, error) {
				close(started)
				<-ctx.Done()
				<-end
				return 111, nil
			}})
		stalled.renewEvery = time.Hour // the stall
		first := &run{Runner: stalled, job: stalled.jobs["job"], owner: "stalled/1"}
		if err := nodes[0].Write(t.Context(), stalled.register); err != nil {
			t.Fatal(err)
		}
		if claimed, err := first.claim(t.Context()); !claimed || err != nil {
			t.Fatal(claimed, err)
		}
		clock.Advance(LeaseTerm)
		other := NewRunner(nodes[1], "other", Job{Name: "job", Every: time.Hour,
			Run: func(context.Context) (int64, error) { return 222, nil }})
		runDue(t, other)
		stalled.renewEvery = time.Millisecond // it continues
		var running sync.WaitGroup
		running.Go(func() { first.do(t.Context()) })
		<-started
		close(end)
		running.Wait()
		if state := statusOf(t, nodes[1])[0]; state.Done != 222 || !state.NextRunAt.After(clock.Now()) {
			t.Errorf("the job is %+v", state)
		}
	})
}

func TestFailuresAreStored(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		ways := map[string]func() (int64, error){
			"a error":  func() (int64, error) { return 3, errors.New("no luck") },
			"b panic":  func() (int64, error) { panic("lost my head") },
			"c long":   func() (int64, error) { return 0, errors.New(strings.Repeat("ü", 2*maxErrorText)) },
			"d binary": func() (int64, error) { return 0, errors.New("\xff\x00") },
		}
		var jobs []Job
		for name := range ways {
			jobs = append(jobs, Job{Name: name, Every: time.Hour, Run: func(context.Context) (int64, error) {
				return ways[name]()
			}})
		}
		runDue(t, NewRunner(nodes[0], "node", jobs...))
		wants := []string{"no luck", "panic: string", strings.Repeat("ü", maxErrorText/2), "?"}
		for i, state := range statusOf(t, nodes[1]) {
			if state.Error != wants[i] || !state.NextRunAt.Equal(clock.Now().Add(retryAfter)) || state.Owner != "" {
				t.Errorf("%s ended as %+v", state.Name, state)
			}
		}
		ways["a error"] = func() (int64, error) { return 4, nil }
		clock.Advance(retryAfter)
		runDue(t, NewRunner(nodes[1], "other", jobs...))
		state := statusOf(t, nodes[0])[0]
		if state.Error != "" || state.Done != 4 || !state.NextRunAt.Equal(clock.Now().Add(time.Hour)) {
			t.Errorf("after the second run the job is %+v", state)
		}
	})
}

func TestShorterScheduleCountsAtOnce(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		nothing := func(context.Context) (int64, error) { return 0, nil }
		runDue(t, NewRunner(nodes[0], "old", Job{Name: "job", Every: 24 * time.Hour, Run: nothing}))
		runDue(t, NewRunner(nodes[0], "new", Job{Name: "job", Every: time.Hour, Run: nothing}))
		if state := statusOf(t, nodes[1])[0]; !state.NextRunAt.Equal(clock.Now().Add(time.Hour)) {
			t.Errorf("the job waits until %v", state.NextRunAt)
		}
		runDue(t, NewRunner(nodes[1], "without jobs")) // another version ignores unknown jobs
	})
}

func TestRunStopsCleanly(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		d := dbtest.Open(t, dbtest.Config(t, engine), time.Now)
		if err := d.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		ignore := goleak.IgnoreCurrent()
		started := make(chan struct{})
		r := NewRunner(d, "node", Job{Name: "job", Every: time.Hour, Run: func(ctx context.Context) (int64, error) {
			close(started)
			<-ctx.Done()
			return 1, ctx.Err()
		}})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { r.Run(ctx) })
		<-started
		cancel()
		running.Wait()
		// An interrupted run is due at once, on any node.
		state := statusOf(t, d)[0]
		if state.Owner != "" || state.Error != "" || !state.LastRunAt.IsZero() || state.NextRunAt.After(d.Now()) {
			t.Errorf("the job that was stopped is %+v", state)
		}
		goleak.VerifyNone(t, ignore, goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"))
	}
}

func TestLease(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		one, two := NewLease(nodes[0], "relay", "one"), NewLease(nodes[1], "relay", "two")
		check := func(l *Lease, want bool) {
			t.Helper()
			if held, err := l.Hold(t.Context()); held != want || err != nil {
				t.Errorf("held by %s: %t, %v", l.node, held, err)
			}
		}
		check(one, true)
		check(two, false)
		clock.Advance(LeaseTerm * 3 / 4)
		check(one, true) // renews
		clock.Advance(LeaseTerm * 3 / 4)
		check(two, false)
		check(one, true)
		if err := two.Release(t.Context()); err != nil { // does not hold it
			t.Fatal(err)
		}
		check(two, false)
		if err := one.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(two, true)
		check(one, false)
		clock.Advance(LeaseTerm)
		check(one, true)
		check(two, false)
		if states := statusOf(t, nodes[0]); len(states) != 0 {
			t.Errorf("a lease is listed as a job: %+v", states)
		}
	})
}

func TestIncompleteJobIsRefused(t *testing.T) {
	run := func(context.Context) (int64, error) { return 0, nil }
	for _, jobs := range [][]Job{
		{{Every: time.Hour, Run: run}},
		{{Name: "a", Run: run}},
		{{Name: "a", Every: time.Hour}},
		{{Name: "a", Every: time.Hour, Run: run}, {Name: "a", Every: time.Hour, Run: run}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("accepted %+v", jobs)
				}
			}()
			NewRunner(nil, "node", jobs...)
		}()
	}
}
