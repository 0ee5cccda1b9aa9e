package app_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A flipped bit in an index of a SQLite file, which no row shows, is found.
func TestCheckReadsTheWholeFile(t *testing.T) {
	database := servertest.DemoDatabase(t, "sqlite")
	servertest.ExpectClean(t, database)
	file := filepath.Join(database.Data, "punchcard.db")
	d := dbtest.Open(t, db.Config{File: file, ReadOnly: true}, time.Now)
	var page, size int64
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		if size, err = db.Value[int64](tx, `PRAGMA page_size`); err != nil {
			return err
		}
		page, err = db.Value[int64](tx, `SELECT rootpage FROM sqlite_schema WHERE name = 'points_of_sale_identifier'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[page*size-1] ^= 1 // in the last entry of a page
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Check(t.Context(), database, app.Kinds{}, io.Discard, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "is damaged") {
		t.Errorf("an index with a flipped bit: %v", err)
	}
}
