package batch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/db/sqlite"
	"punchcard/platform/fault"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

var background = context.Background()

func count(t *testing.T, d *db.DB) int64 {
	t.Helper()
	var n int64
	err := d.Read(background, func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func add(tx *db.Tx, name string) error {
	return tx.Insert("event_cursors", "name, last_id", "", []any{name, 1})
}

func TestFailedBatchRunsOneByOne(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := batch.New(d, func(tx *db.Tx, calls []int) ([]batch.Outcome[int], error) {
			outcomes := make([]batch.Outcome[int], len(calls))
			for i, n := range calls {
				if n%10 == 7 {
					return nil, errors.New("a defect of one row")
				}
				if n%10 == 3 {
					outcomes[i].Err = fault.New(fault.Refused, "test", "no")
					continue
				}
				if err := add(tx, fmt.Sprintf("t%d", n)); err != nil {
					return nil, err
				}
				outcomes[i].Value = n * 2
			}
			return outcomes, nil
		})
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				value, err := b.Do(background, i)
				switch {
				case i%10 == 7 && fault.KindOf(err) != fault.Internal, i%10 == 3 && fault.KindOf(err) != fault.Refused:
					t.Errorf("call %d: %v", i, err)
				case i%10 != 7 && i%10 != 3 && (err != nil || value != 2*i):
					t.Errorf("call %d: %d, %v", i, value, err)
				}
			})
		}
		all.Wait()
		if n := count(t, d); n != 160 {
			t.Fatalf("%d rows, want 160", n)
		}
	})
}

func TestWaitingCallerMayLeave(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		started, release := make(chan struct{}), make(chan struct{})
		b := batch.New(d, func(tx *db.Tx, calls []string) ([]batch.Outcome[int], error) {
			if calls[0] == "t1" {
				close(started)
				<-release
			}
			for _, name := range calls {
				if err := add(tx, name); err != nil {
					return nil, err
				}
			}
			return make([]batch.Outcome[int], len(calls)), nil
		})
		var first sync.WaitGroup
		first.Go(func() {
			if _, err := b.Do(background, "t1"); err != nil {
				t.Error(err)
			}
		})
		<-started
		ctx, leave := context.WithCancel(background)
		leave()
		if _, err := b.Do(ctx, "t2"); !errors.Is(err, context.Canceled) {
			t.Errorf("the caller who left got %v", err)
		}
		close(release)
		first.Wait()
		if _, err := b.Do(background, "t3"); err != nil {
			t.Error(err)
		}
		if n := count(t, d); n != 2 {
			t.Errorf("%d rows, want 2: withdrawn calls must not write", n)
		}
	})
}

func TestFullQueueAnswersBusy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		started, release := make(chan struct{}), make(chan struct{})
		var first sync.Once
		b := batch.New(d, func(_ *db.Tx, calls []int) ([]batch.Outcome[int], error) {
			first.Do(func() { close(started); <-release })
			return make([]batch.Outcome[int], len(calls)), nil
		})
		var all sync.WaitGroup
		all.Go(func() { _, _ = b.Do(background, 0) })
		<-started
		busy := make(chan error, 2*db.QueueLimit)
		for i := range db.QueueLimit + 10 {
			all.Go(func() {
				if _, err := b.Do(background, i); err != nil {
					busy <- err
				}
			})
		}
		for range 10 { // all but ten fit
			if err := <-busy; !errors.Is(err, db.ErrBusy) {
				t.Errorf("got %v", err)
			}
		}
		close(release)
		all.Wait()
		if len(busy) != 0 {
			t.Errorf("%d more were refused than had no place", len(busy))
		}
	})
}

// A panic in a batch of reads is an error of the call that caused it, and of no other.
func TestReadBatchSurvivesAPanic(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := batch.NewRead(d, func(_ *db.Tx, calls []int) ([]batch.Outcome[int], error) {
			if slices.Contains(calls, 0) {
				panic("a defect")
			}
			outcomes := make([]batch.Outcome[int], len(calls))
			for i, call := range calls {
				outcomes[i].Value = call
			}
			return outcomes, nil
		})
		var asking sync.WaitGroup
		for call := range 20 {
			asking.Go(func() {
				got, err := b.Do(background, call)
				if failed := err != nil; failed != (call == 0) || !failed && got != call {
					t.Errorf("call %d: %d, %v", call, got, err)
				}
			})
		}
		asking.Wait()
	})
}

// A batch of reads sees what was committed before its calls, also after batches that failed halfway.
func TestReadBatchSeesWhatIsCommitted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := batch.NewRead(d, func(tx *db.Tx, calls []string) ([]batch.Outcome[int64], error) {
			outcomes := make([]batch.Outcome[int64], len(calls))
			for i, call := range calls {
				n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
				switch call {
				case "panics":
					panic("a defect")
				case "fails":
					_, err = db.Value[int64](tx, `SELECT nothing FROM nowhere`)
				}
				if outcomes[i].Value = n; err != nil {
					return nil, err
				}
			}
			return outcomes, nil
		})
		for n := range int64(2 * sqlite.Readers) {
			if err := d.Write(background, func(tx *db.Tx) error { return add(tx, fmt.Sprint("t", n)) }); err != nil {
				t.Fatal(err)
			}
			for _, call := range []string{"panics", "fails"} {
				if _, err := b.Do(background, call); err == nil {
					t.Errorf("a set that %s is no error", call)
				}
			}
			if got, err := b.Do(background, "counts"); err != nil || got != n+1 {
				t.Errorf("%d rows after %d commits, %v", got, n+1, err)
			}
		}
	})
}
