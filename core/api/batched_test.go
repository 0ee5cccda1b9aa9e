package api_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/idempotency"
)

type line = api.Asked[string, string]

// lines is a batched operation that stores texts, and remembers the sizes of its batches. It refuses "no" at once, and
// "late" when it has written already.
func lines(d *db.DB, sizes *[]int) *api.Batched[string, string] {
	return api.NewBatched(d, func(tx *db.Tx, s *store.Store, calls []*line) error {
		*sizes = append(*sizes, len(calls))
		for _, a := range calls {
			switch {
			case !a.IsNew():
				continue
			case a.In == "no":
				a.Err = fault.ErrInvalid
				continue
			}
			a.Out = a.In + "!"
			const insert = `INSERT INTO event_cursors (name, last_id) VALUES ($1, 1)
				ON CONFLICT (name) DO UPDATE SET last_id = event_cursors.last_id + 1`
			if _, err := tx.Exec(insert, a.In); err != nil {
				return err
			}
			if a.In == "late" {
				return fault.ErrForbidden
			}
			if err := a.Done(func(*audit.Entry) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	}, func(a *line) (any, error) { return map[string]string{"text": a.Out}, nil })
}

// Each key stands for one call. Refusals, replays and wrong keys do not affect other calls.
func TestBatchedCalls(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &store.Store{Key: 1}
		var sizes []int
		operation := lines(d, &sizes)
		key := func(name, text string) *idempotency.Request { return idempotency.NewRequest(1, name, nil, text) }
		for round := range 2 {
			var calls []*line
			err := d.Write(t.Context(), func(tx *db.Tx) (err error) {
				calls, err = operation.Try(tx, s, []*idempotency.Request{
					key("a", "one"), nil, key("a", "one"), key("a", "two"), key("b", "no"),
				}, "one", "two", "one", "two", "no")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range calls {
				replay, replayed := errors.AsType[*idempotency.Replay](a.Err)
				switch i {
				case 0, 2:
					if replayed != (i == 2 || round == 1) || replayed && replay.Body != `{"text":"one!"}` {
						t.Errorf("round %d, call %d: %v", round, i, a.Err)
					}
				case 1:
					if a.Err != nil || a.Out != "two!" {
						t.Errorf("round %d, without a key: %q, %v", round, a.Out, a.Err)
					}
				case 3:
					if a.Err != idempotency.ErrReused {
						t.Errorf("round %d, a key of another request: %v", round, a.Err)
					}
				case 4:
					if a.Err != fault.ErrInvalid {
						t.Errorf("round %d, refused: %v", round, a.Err)
					}
				}
			}
		}
		if got := cursors(t, d); !slices.Equal(got, []string{"one 1", "two 2"}) {
			t.Errorf("stored: %v", got)
		}
	})
}

// A call that is refused after its batch has written does not affect the others.
func TestLateRefusals(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &store.Store{Key: 1}
		var sizes []int
		operation := lines(d, &sizes)
		ended := make(chan error)
		texts := []string{"a", "late", "b", "no"}
		blocked, release := make(chan struct{}), make(chan struct{})
		go func() { // holds the writer, so that the calls form a batch
			ended <- d.Write(t.Context(), func(*db.Tx) error { close(blocked); <-release; return nil })
		}()
		<-blocked
		results := make(chan string)
		for _, text := range texts {
			go func() {
				out, err := operation.Do(t.Context(), s, text)
				results <- fmt.Sprint(text, " ", out, " ", err)
			}()
		}
		close(release)
		var got []string
		for range texts {
			got = append(got, <-results)
		}
		slices.Sort(got)
		want := []string{"a a! <nil>", "b b! <nil>", "late  " + fault.ErrForbidden.Error(), "no  " + fault.ErrInvalid.Error()}
		if err := <-ended; err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v, in batches of %v, want %q", got, err, sizes, want)
		}
		if got := cursors(t, d); !slices.Equal(got, []string{"a 1", "b 1"}) {
			t.Errorf("stored: %v", got)
		}
	})
}

func cursors(t *testing.T, d *db.DB) (found []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.AllValues[string](tx,
			`SELECT CONCAT(name, ' ', last_id) FROM event_cursors WHERE name IN ('one', 'two', 'a', 'b', 'late', 'no')
			ORDER BY name`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
