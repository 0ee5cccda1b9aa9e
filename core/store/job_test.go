package store_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Stores whose work never ends, panics or fails do not keep a job from the others.
func TestNoStoreHoldsUpOthers(t *testing.T) {
	dbtest.EachAt(t, newClock().Now, func(t *testing.T, d *db.DB) {
		for _, code := range []string{"ENDLESS", "BROKEN", "FAILING", "FINE"} {
			create(t, d, code)
		}
		ctx, stop := context.WithCancel(t.Context())
		var visits atomic.Int64
		done, err := store.EverywhereWithin(d, time.Millisecond,
			func(ctx context.Context, _ *db.DB, s *store.Store) (int64, error) {
				switch s.Code {
				case "ENDLESS":
					<-ctx.Done()
				case "BROKEN":
					panic("broken")
				case "FAILING":
					return 2, errors.New("fails")
				case "FINE":
					if visits.Add(1) == 3 { // also while the endless one is busy
						stop()
					}
					return 1, nil
				}
				return 0, nil
			})(ctx)
		if done < 3 || visits.Load() != 3 {
			t.Errorf("%d rows, %d visits", done, visits.Load())
		}
		if err == nil || !strings.Contains(err.Error(), "store BROKEN: panic") ||
			!strings.Contains(err.Error(), "store FAILING: fails") {
			t.Errorf("error: %v", err)
		}
	})
}

// Without trouble every store is visited once, in turn.
func TestEveryStoreOnce(t *testing.T) {
	dbtest.EachAt(t, newClock().Now, func(t *testing.T, d *db.DB) {
		create(t, d, "A")
		create(t, d, "B")
		visited := ""
		done, err := store.Everywhere(d, func(_ context.Context, _ *db.DB, s *store.Store) (int64, error) {
			visited += s.Code
			return 2, nil
		})(t.Context())
		if done != 4 || err != nil || visited != "AB" {
			t.Errorf("%d rows in %q, %v", done, visited, err)
		}
	})
}
