package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// number reads a number from the database.
func number(tx *db.Tx, n int) (int64, error) { return db.Value[int64](tx, `SELECT $1 + 0`, int64(n)) }

// numbers reads some, each with a statement of its own.
func numbers(tx *db.Tx, found *[]int64, wanted ...int) func() error {
	return func() error {
		for _, n := range wanted {
			got, err := number(tx, n)
			if err != nil {
				return err
			}
			*found = append(*found, got)
		}
		return nil
	}
}

// Reads that run together find what they would find one after the other. On PostgreSQL they wait for each other at
// each of their statements, so that these share round trips.
func TestTogether(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			var asked []string
			config := dbtest.Config(t, engine)
			config.Trace = func(query string, args []any) {
				if strings.HasPrefix(query, "SELECT $1") {
					asked = append(asked, fmt.Sprint(args[0]))
				}
			}
			d := dbtest.Open(t, config, time.Now)
			read := func(tx *db.Tx) error {
				var first, second, third []int64
				asked = nil
				err := tx.Together(numbers(tx, &first, 1, 2, 3), numbers(tx, &second), numbers(tx, &third, 4, 5))
				if !slices.Equal(first, []int64{1, 2, 3}) || len(second) > 0 || !slices.Equal(third, []int64{4, 5}) {
					t.Errorf("found %v, %v and %v", first, second, third)
				}
				want := map[string]string{"sqlite": "1 2 3 4 5", "postgres": "1 4 2 5 3"}[engine]
				if got := strings.Join(asked, " "); got != want {
					t.Errorf("asked %s, want %s", got, want)
				}
				if after, err := number(tx, 6); after != 6 || err != nil {
					t.Errorf("afterwards %d, %v", after, err)
				}
				return errors.Join(err, tx.Together())
			}
			for name, use := range map[string]func(func(*db.Tx) error) error{
				"read":     func(run func(*db.Tx) error) error { return d.Read(background, run) },
				"write":    func(run func(*db.Tx) error) error { return d.Write(background, run) },
				"snapshot": func(run func(*db.Tx) error) error { return d.Snapshot(background, run) },
			} {
				if err := use(read); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// What was written before is seen, reads may write and run others together, and all is one operation.
func TestTogetherInAnOperation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		value := func(tx *db.Tx, n *int64, query string) func() error {
			return func() error { return db.Into(n)(db.Value[int64](tx, query)) }
		}
		const rows = `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`
		run := func(tx *db.Tx) error {
			if err := add(tx, "t1"); err != nil {
				return err
			}
			var seen, inner, last int64
			var deep []int64
			err := tx.Together(
				value(tx, &seen, rows),
				func() error {
					if _, err := tx.Exec(`UPDATE event_cursors SET last_id = 7 WHERE name = 't1'`); err != nil {
						return err
					}
					return tx.Together(value(tx, &inner, `SELECT last_id FROM event_cursors WHERE name = 't1'`),
						numbers(tx, &deep, 8, 9))
				},
				func() error { return add(tx, "t2") },
			)
			if err := value(tx, &last, rows)(); err != nil {
				return err
			}
			if seen != 1 || inner != 7 || last != 2 || !slices.Equal(deep, []int64{8, 9}) {
				t.Errorf("saw %d rows, the value %d, %d rows, and %v", seen, inner, last, deep)
			}
			return err
		}
		undone := errors.New("undone")
		err := d.Write(background, func(tx *db.Tx) error { return errors.Join(run(tx), undone) })
		if !errors.Is(err, undone) || strings.Contains(err.Error(), "\n") || count(t, d) != 0 {
			t.Errorf("%v, %d rows are left of it", err, count(t, d))
		}
		if err := d.Write(background, run); err != nil || count(t, d) != 2 {
			t.Errorf("%v, %d rows", err, count(t, d))
		}
	})
}

// An error or a panic of one read ends all, tells what it was, writes nothing and leaves nothing behind.
func TestTogetherFails(t *testing.T) {
	own := errors.New("its own")
	wrong := func(tx *db.Tx) error { _, err := db.Value[int64](tx, `SELECT nothing FROM event_cursors`); return err }
	for name, test := range map[string]struct {
		fail func(tx *db.Tx) error
		want string
	}{
		"statement": {wrong, "nothing"},
		"at once":   {func(*db.Tx) error { return own }, "its own"},
		"later":     {func(tx *db.Tx) error { return errors.Join(numbers(tx, new([]int64), 1, 2)(), own) }, "its own"},
		"panic":     {func(tx *db.Tx) error { _, _ = number(tx, 1); panic("a defect") }, "together_test.go"},
		"stubborn": {func(tx *db.Tx) error {
			first := wrong(tx)
			_, _ = number(tx, 1)
			return first
		}, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				for range 40 { // more than there are connections
					err := d.Write(background, func(tx *db.Tx) error {
						if err := add(tx, "t1"); err != nil {
							return err
						}
						goesOn := func() error {
							_, first := number(tx, 1)
							_, second := number(tx, 2) // asks again after it was broken off
							_, third := number(tx, 3)
							return errors.Join(first, second, third)
						}
						return tx.Together(goesOn, func() error { return test.fail(tx) }, goesOn)
					})
					if err == nil || !strings.Contains(err.Error(), test.want) {
						t.Fatalf("%v, want %q", err, test.want)
					}
				}
				if n := count(t, d); n != 0 {
					t.Errorf("%d rows are left", n)
				}
				for range 40 {
					err := d.Read(background, func(tx *db.Tx) error {
						return tx.Together(numbers(tx, new([]int64), 1, 2, 3), func() error { return wrong(tx) })
					})
					if err == nil || !strings.Contains(err.Error(), "nothing") {
						t.Fatalf("reading: %v", err)
					}
				}
				err := d.Read(background, func(tx *db.Tx) error { return numbers(tx, new([]int64), 1, 2)() })
				if err != nil {
					t.Error(err)
				}
			})
		})
	}
}
