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

// mark is a row of languages, a table with columns of most types.
type mark struct {
	Code    string
	Name    string
	Default bool
	Place   int64
	At      time.Time
	Content map[string]string
}

var marks = db.NewTable("languages", "code", func(m *mark) db.Row {
	return db.Row{
		"code", &m.Code, "name", db.Derived(&m.Name, strings.ToUpper), "is_default", &m.Default, "position", &m.Place,
		"updated_at", db.Time(&m.At), "content", db.JSON(&m.Content),
	}
})

var named = db.NewView(marks, func(m *mark) db.Row { return db.Row{"code", &m.Code, "name", &m.Name} })

func newMark(code string, place int64) *mark {
	return &mark{Code: code, Place: place, At: time.UnixMicro(0)}
}

// inTable runs a test with an empty table of marks.
func inTable(t *testing.T, test func(t *testing.T, tx *db.Tx) error) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(background, func(tx *db.Tx) error {
			_, err := tx.Exec(`DELETE FROM languages`)
			return errors.Join(err, test(t, tx))
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// show returns marks as text.
func show(all []mark, err error) string {
	var b strings.Builder
	for _, m := range all {
		fmt.Fprintf(&b, "%s,%t,%d,%d,%s;", m.Code, m.Default, m.Place, max(m.At.UnixMicro(), 0), m.Content["a"])
	}
	if err != nil {
		return err.Error()
	}
	return b.String()
}

func ordered(tx *db.Tx) ([]mark, error) {
	return marks.All(tx, `SELECT * FROM languages ORDER BY code`)
}

// Rows are written and read by the names of columns, one as many.
func TestTable(t *testing.T) {
	inTable(t, func(t *testing.T, tx *db.Tx) error {
		is := func(what, want string) {
			t.Helper()
			if got := show(ordered(tx)); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		a := &mark{"a", "one", true, 1, time.UnixMicro(5), map[string]string{"a": "x"}}
		b, c := newMark("b", 0), newMark("c", 3)
		errs := []error{marks.Insert(tx), marks.Insert(tx, a), marks.Insert(tx, b, c)}
		is("inserted", "a,true,1,5,x;b,false,0,0,;c,false,3,0,;")
		a.Default, a.Place, b.Place, b.At = false, 7, 8, time.UnixMicro(6)
		errs = append(errs, marks.Update(tx, "position, updated_at", a, b, newMark("none", 1)), marks.Update(tx, "name"))
		is("updated", "a,true,7,5,x;b,false,8,6,;c,false,3,0,;")
		errs = append(errs, marks.Add(tx, "position", &mark{Code: "a", Place: 10}, &mark{Code: "c", Place: -1}))
		is("added", "a,true,17,5,x;b,false,8,6,;c,false,2,0,;")
		again, err := marks.InsertNew(tx, a)
		fresh, err2 := marks.InsertNew(tx, newMark("d", 0))
		if again || !fresh {
			t.Errorf("inserted again: %t, new: %t", again, fresh)
		}
		errs = append(errs, err, err2, marks.Put(tx, b, newMark("c", 4)),
			marks.InsertOr(tx, "ON CONFLICT DO NOTHING", newMark("c", 0), newMark("e", 0)))
		is("replaced", "a,true,17,5,x;b,false,8,6,;c,false,4,0,;d,false,0,0,;e,false,0,0,;")
		found, err := marks.UpdateOne(tx, "content", &mark{Code: "d", Content: map[string]string{"a": "y"}})
		missed, err2 := marks.UpdateOne(tx, "content", &mark{Code: "none"})
		if !found || missed {
			t.Errorf("found: %t, missed: %t", found, missed)
		}
		errs = append(errs, err, err2, marks.Delete(tx), marks.Delete(tx, a), marks.Delete(tx, c, &mark{Code: "e"}))
		is("deleted", "b,false,8,6,;d,false,0,0,y;")
		return errors.Join(errs...)
	})
}

// A query reads the columns that it names, also from queries that it joins, and leaves the others zero.
func TestTableSelect(t *testing.T) {
	inTable(t, func(t *testing.T, tx *db.Tx) error {
		rows := []*mark{{"a", "one", true, 1, time.UnixMicro(5), nil}, {"b", "two", false, 2, time.UnixMicro(6), nil}}
		if err := marks.Insert(tx, rows...); err != nil {
			return err
		}
		all := "a,true,1,5,;b,false,2,6,;"
		for _, c := range []struct {
			query string
			args  []any
			want  string
		}{
			{`SELECT * FROM languages ORDER BY code`, nil, all},
			{`SELECT l.* FROM ? AS v (store, id) CROSS JOIN languages l WHERE l.code = v.id ORDER BY code`,
				[]any{tx.Among(7, "a", "b")}, all},
			{`SELECT position, code FROM languages WHERE code = ?`, []any{"b"}, "b,false,2,0,;"},
			{"SELECT l.code,\n\tCASE WHEN position > (SELECT ? + 0) THEN position ELSE 0 END AS position\nFROM languages l " +
				"ORDER BY code", []any{1}, "a,false,0,0,;b,false,2,0,;"},
			{`SELECT DISTINCT is_default FROM languages WHERE code IN ?`, []any{db.List{"a"}}, ",true,0,0,;"},
			{`SELECT code FROM languages WHERE code = ? UNION ALL SELECT code FROM languages WHERE code = ?`,
				[]any{"a", "b"}, "a,false,0,0,;b,false,0,0,;"},
			{`SELECT * FROM languages WHERE code = 'a' UNION ALL SELECT * FROM languages WHERE code = 'b'`, nil, all},
			{`WITH own AS (SELECT * FROM languages WHERE name = ', (SELECT' OR position > 1) SELECT code FROM own`, nil,
				"b,false,0,0,;"},
			{`UPDATE languages SET position = 9 WHERE code = 'a' RETURNING *`, nil, "a,true,9,5,;"},
		} {
			if got := show(marks.All(tx, c.query, c.args...)); got != c.want {
				t.Errorf("%s: %s, want %s", c.query, got, c.want)
			}
		}
		one, found, err := named.One(tx, `SELECT * FROM languages WHERE code = 'b'`)
		if !found || one.Name != "TWO" || one.Place != 0 {
			t.Errorf("%v, %t", one, found)
		}
		var codes []string
		err2 := marks.Each(tx, func(m mark) { codes = append(codes, m.Code) }, `SELECT code FROM languages ORDER BY code`)
		if !slices.Equal(codes, []string{"a", "b"}) {
			t.Errorf("each: %v", codes)
		}
		return errors.Join(err, err2)
	})
}

// A program sends the names of the columns that it knows, because a later one may add others.
func TestTableNamesItsColumns(t *testing.T) {
	const columns = "code, is_default, position, updated_at, content"
	if got := marks.Select(func(mark) {}, `SELECT * FROM languages`).Text; got != "SELECT "+columns+" FROM languages" {
		t.Error(got)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a column that no table has does not panic")
			}
		}()
		marks.Select(func(mark) {}, `SELECT l.*, l.x FROM languages l`)
	}()
	if got := marks.Columns(); got != columns {
		t.Error(got)
	}
}

// A column that is bound twice, or a name that is none, is found when the program starts.
func TestTableNeedsNames(t *testing.T) {
	for name, row := range map[string]db.Row{
		"twice": {"code", new(string), "code", new(string)}, "no name": {new(string), "id"}, "no key": {"name", new(string)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			db.NewTable("marks", "code", func(*mark) db.Row { return row })
		}()
	}
}
