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

// Among passes keys of one or several columns, and a query can have other arguments before and after it. Without keys
// nothing matches.
func TestAmong(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const store = 7
		type row struct {
			key string
			n   int64
		}
		columns := func(r *row) []any { return []any{&r.key, &r.n} }
		for _, keys := range [][]row{nil, {{"b", 2}}, {{"c", 1}, {"a", 2}, {"d", 3}, {"b", 4}, {"e", 5}}} {
			var texts []string
			var rows [][]any
			for i := range keys {
				texts, rows = append(texts, keys[i].key), append(rows, columns(&keys[i]))
			}
			want := slices.DeleteFunc(slices.Clone(keys), func(r row) bool { return r.key == "a" })
			slices.SortFunc(want, func(a, b row) int { return strings.Compare(a.key, b.key) })
			err := d.Read(background, func(tx *db.Tx) error {
				pairs, err := db.All(tx, columns, `SELECT v.key, v.n FROM ? AS v (store, key, n)
					WHERE v.store = ? AND v.key <> ? ORDER BY v.key`,
					tx.AmongRows(store, []string{"TEXT", "BIGINT"}, rows...), store, "a")
				if err != nil {
					return err
				}
				single, err := db.All(tx, columns, `SELECT k.id, k.shop + ? FROM ? AS k (shop, id)
					WHERE k.id <> 'a' ORDER BY k.id`, 1, tx.Among(store, texts...))
				for i := range single {
					if single[i] != (row{want[i].key, store + 1}) {
						t.Errorf("%v among %v", single[i], texts)
					}
				}
				if !slices.Equal(pairs, want) || len(single) != len(want) {
					t.Errorf("%v: %v and %v", keys, pairs, single)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// Delete deletes the rows with the keys alone.
func TestDelete(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		name, id := db.Column{Name: "name", Type: "TEXT"}, db.Column{Name: "last_id", Type: "BIGINT"}
		var left []string
		err := d.Write(background, func(tx *db.Tx) error {
			for _, name := range []string{"t1", "t2", "t3", "t4"} {
				if err := add(tx, name); err != nil {
					return err
				}
			}
			if err := tx.Update("event_cursors", []db.Column{name}, []db.Column{id}, []any{"t4", 9}); err != nil {
				return err
			}
			err := errors.Join(
				tx.Delete("event_cursors", []db.Column{name}, []any{"t1"}, []any{"t3"}, []any{"unknown"}),
				tx.Delete("event_cursors", []db.Column{name, id}, []any{"t4", 8}),
				tx.Delete("event_cursors", []db.Column{name}))
			if err != nil {
				return err
			}
			left, err = db.AllValues[string](tx,
				`SELECT name FROM event_cursors WHERE name LIKE 't%' ORDER BY name`)
			return err
		})
		if err != nil || !slices.Equal(left, []string{"t2", "t4"}) {
			t.Errorf("%v left, %v", left, err)
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
