package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

// The operations of a dry run see those before them, an operation that fails is undone alone, and nothing is left.
func TestDryRunIsOneTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		d.OnCommit(func() { t.Error("a dry run was committed") })
		refused := fault.New(fault.Refused, "test", "no")
		err := d.DryRun(background, func(ctx context.Context) error {
			if !db.IsDry(ctx) || db.IsDry(db.Committed(ctx)) {
				t.Error("a context does not know what it is")
			}
			step := func(name string, failure error) error {
				return d.Write(ctx, func(tx *db.Tx) error {
					tx.Record(name)
					tx.AfterCommit(func() { t.Error("a function that waits for the commit was called") })
					return errors.Join(add(tx, name), failure)
				})
			}
			if err := step("t1", nil); err != nil {
				return err
			}
			if err := step("t2", refused); !errors.Is(err, refused) {
				t.Errorf("an operation that fails returns %v", err)
			}
			// A statement without a result fails only when it is sent.
			if err := step("t1", nil); err == nil {
				t.Error("a second row with the key is no error")
			}
			if err := step("t3", nil); err != nil {
				return err
			}
			for within, want := range map[context.Context]int64{ctx: 2, db.Committed(ctx): 0} {
				if n := countUnder(t, d, within); n != want {
					t.Errorf("%d rows, want %d", n, want)
				}
			}
			if got := fmt.Sprint(db.Recorded(ctx)); got != "[t1 t3]" {
				t.Errorf("recorded %s", got)
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("the error of the dry run is %v", err)
		}
		if n := count(t, d); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

func countUnder(t *testing.T, d *db.DB, ctx context.Context) (n int64) {
	t.Helper()
	if err := d.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// Dry runs beside writes and batches leave nothing, lose nothing, and share no transaction.
func TestDryRunsBesideWrites(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := batch.New(d, func(tx *db.Tx, calls []string) ([]batch.Outcome[int], error) {
			for _, name := range calls {
				if tx.IsDry() != (name[1] == 'd') || tx.IsDry() && len(calls) > 1 {
					t.Errorf("a batch of %v", calls)
				}
				if err := add(tx, name); err != nil {
					return nil, err
				}
			}
			return make([]batch.Outcome[int], len(calls)), nil
		})
		var all sync.WaitGroup
		const each = 40
		for i := range each {
			all.Go(func() {
				if _, err := b.Do(background, fmt.Sprint("tb", i)); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				if err := d.Write(background, func(tx *db.Tx) error { return add(tx, fmt.Sprint("tw", i)) }); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				if err := d.DryRun(background, func(ctx context.Context) error {
					_, err := b.Do(ctx, fmt.Sprint("td", i))
					return errors.Join(err, d.Write(ctx, func(tx *db.Tx) error { return add(tx, fmt.Sprint("tx", i)) }))
				}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := count(t, d); n != 2*each {
			t.Errorf("%d rows, want %d", n, 2*each)
		}
	})
}

// A panic in a dry run leaves the writer usable.
func TestDryRunSurvivesAPanic(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		func() {
			defer func() { _ = recover() }()
			_ = d.DryRun(background, func(ctx context.Context) error {
				_ = d.Write(ctx, func(tx *db.Tx) error { return add(tx, "t1") })
				panic("a defect between two operations")
			})
		}()
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t1") }); err != nil {
			t.Error(err)
		}
	})
}

// A dry run that has lasted long may begin no further operation.
func TestDryRunEnds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		steps := 0
		err := d.DryRun(background, func(ctx context.Context) error {
			for {
				if err := d.Write(ctx, func(*db.Tx) error { return nil }); err != nil {
					return err
				}
				steps++
			}
		})
		if !errors.Is(err, db.ErrDryRunTime) || steps == 0 {
			t.Errorf("%d steps, %v", steps, err)
		}
	})
}
