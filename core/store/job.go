package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Work handles the rows that are due by the clock of a store, and returns their number. When ctx ends it stops between
// two transactions; the next run continues.
type Work func(ctx context.Context, d *db.DB, s *Store) (int64, error)

// Job is work that runs for every store regularly.
type Job struct {
	Name string
	Work Work
}

// patience is how long a job waits for the work of one store before it goes on with the next store.
const patience = time.Minute

// Everywhere runs the work for all stores, one after the other, and adds up the numbers of handled rows. No store holds
// up the others: work that takes long continues while the others are visited again and again, and the error of a store
// is returned after all had their turn.
func Everywhere(d *db.DB, work Work) func(ctx context.Context) (int64, error) {
	return everywhere(d, patience, work)
}

// outcome is the end of the work of one store.
type outcome struct {
	store *Store
	done  int64
	err   error
}

func everywhere(d *db.DB, patience time.Duration, work Work) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (total int64, err error) {
		busy, failed, outcomes := map[int64]bool{}, map[int64]error{}, make(chan outcome)
		await := func(until func() bool) {
			waiting, stop := context.WithTimeout(context.Background(), patience)
			defer stop()
			for !until() && waiting.Err() == nil {
				select {
				case o := <-outcomes:
					delete(busy, o.store.Key)
					total += o.done
					if delete(failed, o.store.Key); o.err != nil {
						failed[o.store.Key] = fmt.Errorf("store %s: %w", o.store.Code, o.err)
					}
				case <-waiting.Done():
				}
			}
		}
		for first := true; first || len(busy) > 0; first = false {
			stores, unread := everyStore(ctx, d)
			for i := range stores {
				if s := &stores[i]; !busy[s.Key] && ctx.Err() == nil {
					busy[s.Key] = true
					go func() { outcomes <- perform(ctx, d, s, work) }()
					await(func() bool { return !busy[s.Key] })
				}
			}
			await(func() bool { return len(busy) == 0 })
			err = unread
		}
		return total, errors.Join(append(slices.Collect(maps.Values(failed)), err)...)
	}
}

func everyStore(ctx context.Context, d *db.DB) (stores []Store, err error) {
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		stores, err = All(tx)
		return err
	})
	return stores, err
}

// perform works for one store, and turns a panic into an error.
func perform(ctx context.Context, d *db.DB, s *Store, work Work) (o outcome) {
	o.store = s
	defer func() {
		if p := recover(); p != nil {
			d.Log().Error("panic in the work of a store", "store", s.Code, "panic", fault.PanicText(p),
				"stack", string(debug.Stack()))
			o.err = fmt.Errorf("panic: %s", fault.PanicText(p))
		}
	}()
	if o.done, o.err = work(ctx, d, s); o.err != nil && ctx.Err() == nil {
		d.Log().Warn("the work of a store failed", "store", s.Code, "error", o.err)
	}
	return o
}

// InSteps calls step for each id that a query of the store selects, until there is nothing more to do now, and returns
// the sum of what the steps visited. Each step is a transaction of its own, in the background.
func InSteps(ctx context.Context, d *db.DB, s *Store, query string,
	step func(ctx context.Context, id string) (n int64, more bool, err error)) (visited int64, err error) {
	ctx = db.InBackground(ctx)
	var ids []string
	err = Read(ctx, d, s, func(tx *db.Tx) (err error) {
		ids, err = db.AllValues[string](tx, query, s.Key)
		return err
	})
	for i := 0; i < len(ids) && err == nil; i++ {
		for more := true; more && err == nil && ctx.Err() == nil; {
			var n int64
			n, more, err = step(ctx, ids[i])
			visited += n
		}
	}
	return visited, err
}
