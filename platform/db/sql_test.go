package db_test

import (
	"slices"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestSQL(t *testing.T) {
	some := func() *db.SQL { return db.NewSQL("FROM t WHERE a = ?", 1) }
	dup := db.NewSQL("SELECT ")
	now := dup.Arg(5)
	for _, c := range []struct {
		query *db.SQL
		text  string
		args  []any
	}{
		{some(), "FROM t WHERE a = $1", []any{1}},
		{some().And("b = ? OR c = ?", 2, 3), "FROM t WHERE a = $1 AND b = $2 OR c = $3", []any{1, 2, 3}},
		{some().And("b IN ?", db.List{"x"}), "FROM t WHERE a = $1 AND b IN ($2)", []any{1, "x"}},
		{some().And("b IN ?", db.List{"x", "y"}).And("c = ?", 4),
			"FROM t WHERE a = $1 AND b IN ($2,$3,$4,$5) AND c = $6", []any{1, "x", "y", "y", "y", 4}},
		{some().Add(" ORDER BY ? LIMIT ?", db.Order("b DESC, c"), 10),
			"FROM t WHERE a = $1 ORDER BY b DESC, c LIMIT $2", []any{1, 10}},
		{some().Select("b, c").Add(" LIMIT ?", 10), "SELECT b, c FROM t WHERE a = $1 LIMIT $2", []any{1, 10}},
		{some().And("b IN (?) AND c = ?", some().And("d = $1 AND e = ?", 2), 3),
			"FROM t WHERE a = $1 AND b IN (FROM t WHERE a = $2 AND d = $2 AND e = $3) AND c = $4", []any{1, 1, 2, 3}},
		{dup.Add(now + ", " + now), "SELECT $1, $1", []any{5}},
	} {
		if c.query.Text() != c.text || !slices.Equal(c.query.Args(), c.args) {
			t.Errorf("%s with %v, want %s with %v", c.query.Text(), c.query.Args(), c.text, c.args)
		}
	}
}

// A query that selects from another one does not share its memory.
func TestSelectCopies(t *testing.T) {
	from := db.NewSQL("FROM t WHERE a = ?", 1).And("b = ?", 2)
	first, second := from.Select("x").Add(" LIMIT ?", 3), from.Select("y").Add(" LIMIT ?", 4)
	if first.Args()[2] != 3 || second.Args()[2] != 4 || len(from.Args()) != 2 {
		t.Errorf("%v, %v and %v", from.Args(), first.Args(), second.Args())
	}
}

func TestSQLNeedsAPlaceForEachValue(t *testing.T) {
	for _, values := range [][]any{{}, {1, 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d values for one place do not panic", len(values))
				}
			}()
			db.NewSQL("a = ?", values...)
		}()
	}
}

func TestContaining(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			text, part string
			contains   bool
		}{
			{"half", "al", true}, {"half", "", true}, {"half", "h%f", false}, {"half", "h_lf", false},
			{"50% off", "0% o", true}, {"a_b", "_", true}, {`a\b`, `\`, true}, {`a\%`, `\%`, true}, {"ab", `\`, false},
		} {
			q := db.NewSQL(`SELECT CASE WHEN CAST(? AS TEXT) LIKE ? ESCAPE '\' THEN 1 ELSE 0 END`,
				c.text, db.Containing(c.part))
			err := d.Read(t.Context(), func(tx *db.Tx) error {
				found, err := db.Value[int](tx, q.Text(), q.Args()...)
				if (found == 1) != c.contains {
					t.Errorf("%q contains %q: %v", c.text, c.part, found == 1)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}
