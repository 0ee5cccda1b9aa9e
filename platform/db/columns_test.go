package db_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A database whose applied migrations were others is refused before anything changes: by the upgrade and by the plan.
// Further columns and tables do no harm.
func TestColumnsOfOtherMigrations(t *testing.T) {
	const first = `-- +goose Up
CREATE TABLE marks (
    id    BIGINT NOT NULL, -- a comment, with (parentheses)
    money NUMERIC(10, 2) NOT NULL DEFAULT 0 CHECK (money >= 0 AND money < 5),
    owner TEXT,
    PRIMARY KEY (id), UNIQUE (owner, money)
) WITHOUT ROWID;
CREATE TABLE former (id BIGINT NOT NULL PRIMARY KEY, old TEXT NOT NULL, gone TEXT);
ALTER TABLE former RENAME COLUMN old TO new;
ALTER TABLE former DROP COLUMN gone;
ALTER TABLE former RENAME TO latter;
CREATE TABLE short (id BIGINT NOT NULL PRIMARY KEY);
DROP TABLE short;
`
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	upgrade := fstest.MapFS{"0100_marks.sql": file(first), "0101_more.sql": file("-- +goose Up\n" +
		"CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY);\nUPDATE marks SET money = 1;\n")}
	for _, c := range []struct{ name, old, new, missing string }{
		{"the same", "", "", ""},
		{"more", "owner TEXT,", "owner TEXT, color TEXT,", ""},
		{"a column less", "    owner TEXT,\n", "", "marks.owner: "},
		{"another name", "TO new", "TO newer", "latter.new: "},
		{"a table less", "ALTER TABLE former RENAME TO latter;\n", "", "latter.id, latter.new: "},
	} {
		for _, engine := range dbtest.Engines {
			t.Run(c.name+"/"+engine, func(t *testing.T) {
				d := dbtest.Open(t, dbtest.Empty(t, engine), time.Now)
				made := first
				if c.old != "" {
					made = strings.Replace(first, c.old, c.new, 1)
				}
				if c.missing == "marks.owner: " {
					made = strings.Replace(made, ", UNIQUE (owner, money)", "", 1)
				}
				if err := d.Migrate(background, fstest.MapFS{"0100_marks.sql": file(made)}); err != nil {
					t.Fatal(err)
				}
				_, planned := d.Plan(background, upgrade)
				err := d.Migrate(background, upgrade)
				if c.missing == "" {
					if planned != nil || err != nil {
						t.Errorf("%v, %v", planned, err)
					}
					return
				}
				for _, err := range []error{planned, err} {
					if err == nil || !strings.Contains(err.Error(), "has schema 100, but lacks "+c.missing) {
						t.Errorf("%v", err)
					}
				}
				err = d.Read(background, func(tx *db.Tx) error {
					_, err := db.Value[int64](tx, `SELECT COUNT(*) FROM more`)
					return err
				})
				if err == nil {
					t.Error("the upgrade has begun")
				}
			})
		}
	}
}
