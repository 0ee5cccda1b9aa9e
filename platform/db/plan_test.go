package db_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A plan has the statements that are to come, and changes nothing.
func TestPlan(t *testing.T) {
	schema := fstest.MapFS{"0100_marks.sql": &fstest.MapFile{Data: []byte(`-- +goose Up
CREATE TABLE marks (id BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO marks (id, name) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
SELECT i, 'a' FROM n;
`)}}
	more := fstest.MapFS{"0100_marks.sql": schema["0100_marks.sql"], "0101_more.sql": &fstest.MapFile{Data: []byte(
		`-- +goose Up

-- A comment; with a semicolon.
ALTER TABLE marks ADD COLUMN color TEXT NOT NULL DEFAULT 'red'; -- of the mark
CREATE INDEX marks_color
    ON marks (color);
CREATE TABLE colors (color TEXT NOT NULL PRIMARY KEY);
CREATE INDEX colors_color ON colors (color);
--sqlite: UPDATE marks SET color = 'blue';
--postgres: ALTER TABLE marks ALTER COLUMN name TYPE VARCHAR;
ANALYZE marks;
`)}}
	const unknown = "unknown: it is none of the usual statements"
	index := db.Step{Statement: "CREATE INDEX marks_color ON marks (color)", Rows: 50_000, Expected: time.Second / 10}
	table := "CREATE TABLE colors (color TEXT NOT NULL PRIMARY KEY)"
	add := "ALTER TABLE marks ADD COLUMN color TEXT NOT NULL DEFAULT 'red'"
	const writes, share = "all writes; reads go on", "writes to colors; reads go on"
	want := map[string][]db.Step{"sqlite": {
		{Statement: add, Lock: writes},
		{Statement: index.Statement, Lock: writes, Rows: index.Rows, Expected: index.Expected},
		{Statement: table, Lock: writes},
		{Statement: "CREATE INDEX colors_color ON colors (color)", Lock: writes},
		{Statement: "UPDATE marks SET color = 'blue'", Lock: writes, Rows: 50_000, Expected: time.Second},
		{Statement: "ANALYZE marks", Lock: unknown},
	}, "postgres": {
		{Statement: `ALTER TABLE marks ADD COLUMN color TEXT COLLATE "C" NOT NULL DEFAULT 'red'`,
			Lock: "all of marks, for a moment; it waits for transactions that use the table, and others wait behind it"},
		{Statement: index.Statement, Lock: "writes to marks; reads go on", Rows: index.Rows, Expected: index.Expected},
		{Statement: `CREATE TABLE colors (color TEXT COLLATE "C" NOT NULL PRIMARY KEY)`, Lock: "nothing: the table is new"},
		{Statement: "CREATE INDEX colors_color ON colors (color)", Lock: share},
		{Statement: "ALTER TABLE marks ALTER COLUMN name TYPE VARCHAR", Lock: "all of marks, also reads", Rows: 50_000,
			Expected: time.Second},
		{Statement: "ANALYZE marks", Lock: unknown},
	}}
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			d := dbtest.Open(t, dbtest.Empty(t, engine), time.Now)
			if err := d.Migrate(background, schema); err != nil {
				t.Fatal(err)
			}
			for i := range want[engine] {
				want[engine][i].Migration = "0101_more.sql"
			}
			for range 2 {
				got, err := d.Plan(background, more)
				if diff := cmp.Diff(want[engine], got); err != nil || diff != "" {
					t.Errorf("%v, %s", err, diff)
				}
			}
		})
	}
}
