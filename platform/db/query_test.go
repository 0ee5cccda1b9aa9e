package db_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// number returns a query that appends a number to found.
func number(found *[]int64, n int) db.Query {
	return db.Select(func(n *int64) []any { return []any{n} }, func(n int64) { *found = append(*found, n) },
		`SELECT $1 + 0`, int64(n))
}

// Queries of one Run pass on their rows in order, and see what the operation wrote before.
func TestRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		read := func(tx *db.Tx) error {
			var found []int64
			err := errors.Join(tx.Run(), tx.Run(number(&found, 1)), tx.Run(number(&found, 2), number(&found, 3)))
			if want := []int64{1, 2, 3}; !slices.Equal(found, want) {
				t.Errorf("found %v, want %v", found, want)
			}
			return err
		}
		if err := errors.Join(d.Read(background, read), d.Snapshot(background, read)); err != nil {
			t.Error(err)
		}
		err := d.Write(background, func(tx *db.Tx) error {
			if err := add(tx, "t1"); err != nil {
				return err
			}
			var found []int64
			rows := db.Select(func(n *int64) []any { return []any{n} }, func(n int64) { found = append(found, n) },
				`SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
			err := tx.Run(rows, number(&found, 8))
			if want := []int64{1, 8}; !slices.Equal(found, want) {
				t.Errorf("found %v, want %v", found, want)
			}
			return errors.Join(err, read(tx))
		})
		if err != nil || count(t, d) != 1 {
			t.Errorf("%v, %d rows", err, count(t, d))
		}
	})
}

// An error or a panic in one query fails the operation and leaves the connection usable.
func TestRunFails(t *testing.T) {
	wrong := func() db.Query {
		return db.Select(func(n *int64) []any { return []any{n} }, func(int64) {}, `SELECT nothing FROM event_cursors`)
	}
	broken := func() db.Query {
		return db.Select(func(n *int64) []any { return []any{n} }, func(int64) { panic("a defect") }, `SELECT 1`)
	}
	for name, test := range map[string]struct {
		query func() db.Query // a query holds the row that it reads, so each run has its own
		want  string
	}{"statement": {wrong, "nothing"}, "panic": {broken, "query_test.go"}} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				var found []int64
				for range 40 { // more than there are connections
					err := d.Write(background, func(tx *db.Tx) error {
						if err := add(tx, "t1"); err != nil {
							return err
						}
						return tx.Run(number(&found, 1), test.query(), number(&found, 2))
					})
					if err == nil || !strings.Contains(err.Error(), test.want) {
						t.Fatalf("%v, want %q", err, test.want)
					}
				}
				if n := count(t, d); n != 0 {
					t.Errorf("%d rows are left", n)
				}
				for range 40 {
					err := d.Read(background, func(tx *db.Tx) error { return tx.Run(number(&found, 1), wrong()) })
					if err == nil || !strings.Contains(err.Error(), "nothing") {
						t.Fatalf("reading: %v", err)
					}
				}
				err := d.Read(background, func(tx *db.Tx) error { return tx.Run(number(&found, 3), number(&found, 4)) })
				if err != nil || !slices.Equal(found[len(found)-2:], []int64{3, 4}) {
					t.Errorf("%v, %v", found, err)
				}
			})
		})
	}
}

// Queries that come first run once, before whatever statement follows.
func TestFirst(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, next := range map[string]func(tx *db.Tx, found *[]int64) error{
			"run":   func(tx *db.Tx, found *[]int64) error { return tx.Run(number(found, 3), number(found, 4)) },
			"none":  func(tx *db.Tx, _ *[]int64) error { return tx.Run() },
			"write": func(tx *db.Tx, _ *[]int64) error { return add(tx, "t3") },
			"exec": func(tx *db.Tx, _ *[]int64) error {
				_, err := tx.Exec(`DELETE FROM event_cursors`)
				return err
			},
		} {
			var found []int64
			err := d.Write(background, func(tx *db.Tx) error {
				tx.First(number(&found, 1))
				tx.First(number(&found, 2))
				err := next(tx, &found)
				return errors.Join(err, tx.Run(number(&found, 5)))
			})
			want := []int64{1, 2, 5}
			if name == "run" {
				want = []int64{1, 2, 3, 4, 5}
			}
			if !slices.Equal(found, want) || err != nil {
				t.Errorf("%s: %v, %v, want %v", name, found, err, want)
			}
		}
	})
}
