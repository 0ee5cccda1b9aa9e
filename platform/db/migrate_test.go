package db_test

import (
	"testing"
	"testing/fstest"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A line for one database is a comment to the other, also in the middle of a statement.
func TestLinesForOneDatabase(t *testing.T) {
	schema := fstest.MapFS{"0100_marks.sql": &fstest.MapFile{Data: []byte(`-- +goose Up
CREATE TABLE marks (
--sqlite:     engine TEXT NOT NULL DEFAULT 'sqlite',
--postgres:     engine TEXT NOT NULL DEFAULT 'postgres',
    id BIGINT NOT NULL PRIMARY KEY
);
INSERT INTO marks (id) VALUES (1);
--sqlite: INSERT INTO marks (id) VALUES (2);
--postgres: INSERT INTO marks (id) VALUES (3);
`)}}
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			d := dbtest.Open(t, dbtest.Empty(t, engine), time.Now)
			if err := d.Migrate(background, schema); err != nil {
				t.Fatal(err)
			}
			err := d.Read(background, func(tx *db.Tx) error {
				sum, err := db.Value[int64](tx, `SELECT CAST(SUM(id) AS BIGINT) FROM marks WHERE engine = $1`, tx.Engine())
				if want := map[string]int64{"sqlite": 3, "postgres": 4}[engine]; sum != want {
					t.Errorf("the ids add up to %d, want %d", sum, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
