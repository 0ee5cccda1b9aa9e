package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// The rows of each key come in the order and with the limit of the query. Without keys nothing runs.
func TestEachOf(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		type row struct {
			key string
			n   int64
		}
		for _, keys := range [][]string{nil, {"c"}, {"b", "a", db.NewID()}} {
			var got, want []row
			for _, key := range keys {
				want = append(want, row{key, 7}, row{key, 5})
			}
			err := d.Read(background, func(tx *db.Tx) error {
				got = nil
				columns := func(r *row) []any { return []any{&r.key, &r.n} }
				return db.EachOf(tx, keys, columns, func(r row) { got = append(got, r) },
					`SELECT $key, n FROM (SELECT 3 AS n UNION ALL SELECT 7 UNION ALL SELECT 5) AS t
						WHERE n > $1 AND $key <> 'd' ORDER BY n DESC LIMIT $2`, 1, 2)
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v: %v, want %v", keys, fmt.Sprint(got, err), want)
			}
		}
	})
}

// A deferred write stores the values of the time when it was called, and later statements see its rows. If it
// fails later, the error names its statement, and the whole operation fails.
func TestWritesAreSentLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(background, func(tx *db.Tx) error {
			for many := range 2 * 40 { // more than wait at most
				name := fmt.Sprintf("t%d", many)
				rows := [][]any{{&name, 1}, {name + "b", 2}}
				if err := tx.Insert("event_cursors", "name, last_id", "", rows...); err != nil {
					return err
				}
				name = "changed"
			}
			n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
			if n != 160 {
				t.Errorf("the operation sees %d of its 160 rows", n)
			}
			return err
		})
		if n := count(t, d); err != nil || n != 160 {
			t.Errorf("%d rows, %v", n, err)
		}
		err = d.Write(background, func(tx *db.Tx) error {
			first, again := add(tx, "t new"), add(tx, "t1")
			_, last := tx.Exec(`UPDATE event_cursors SET last_id = 3 WHERE name = 't2'`)
			return errors.Join(first, again, last)
		})
		if err == nil || !strings.Contains(err.Error(), "INSERT") || strings.Contains(err.Error(), "UPDATE") {
			t.Errorf("the same name twice: %v", err)
		}
		if n := count(t, d); n != 160 {
			t.Errorf("%d rows after an operation that failed", n)
		}
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t1") }); err == nil {
			t.Error("the same name twice, which is seen at the commit, is no error")
		}
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t after") }); err != nil {
			t.Error(err)
		}
	})
}

// A nil pointer is NULL, whatever its type.
func TestNilPointersAreNull(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var number *int64
		var text *string
		var truth *bool
		err := d.Read(background, func(tx *db.Tx) error {
			nulls, err := db.Value[int64](tx, `SELECT CASE WHEN CAST($1 AS BIGINT) IS NULL AND CAST($2 AS TEXT) IS NULL
				AND CAST($3 AS BOOLEAN) IS NULL THEN 1 ELSE 0 END`, number, text, truth)
			if nulls != 1 {
				t.Error("not all are NULL")
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
