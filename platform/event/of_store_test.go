package event

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// The events of one store come in order, page by page, and are found by the index however many others there are.
func TestOfStore(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
			for i := range 300 {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					storeKey := int64(1)
					if i%100 == 50 {
						storeKey = 2
					}
					return Append(tx, storeKey, Entry{db.NewID(), plainFact{fmt.Sprint(i)}})
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Number(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			var ids []int64
			for after, more := int64(0), true; more; {
				var page []Event
				var err error
				if page, more, err = OfStore(t.Context(), d, 2, after, 2); err != nil || len(page) == 0 {
					t.Fatalf("after %d: %v, %v", after, page, err)
				}
				for _, e := range page {
					ids = append(ids, e.ID)
				}
				after = ids[len(ids)-1]
			}
			if fmt.Sprint(ids) != "[51 151 251]" {
				t.Errorf("the store has the events %v", ids)
			}
			if page, more, err := OfStore(t.Context(), d, 2, 251, 2); err != nil || more || len(page) > 0 {
				t.Errorf("after the last: %v, %v, %v", page, more, err)
			}
			if plan := strings.Join(planOf(t, d, engine), "\n"); !strings.Contains(plan, "events_of_store") {
				t.Errorf("the index is not used:\n%s", plan)
			}
		})
	}
}

// planOf returns the plan of the statement of OfStore, in a database whose tables count as large.
func planOf(t *testing.T, d *db.DB, engine string) (lines []string) {
	t.Helper()
	explain := "EXPLAIN QUERY PLAN "
	if engine == "postgres" {
		explain = "EXPLAIN "
	}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		if engine == "postgres" {
			found, err := db.AllValues[string](tx, explain+ofStore, int64(2), int64(0), 3)
			lines = found
			return err
		}
		type step struct {
			id, parent, unused int64
			detail             string
		}
		found, err := db.All(tx, func(s *step) []any { return []any{&s.id, &s.parent, &s.unused, &s.detail} },
			explain+ofStore, int64(2), int64(0), 3)
		for _, s := range found {
			lines = append(lines, s.detail)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
