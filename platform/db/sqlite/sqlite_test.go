package sqlite_test

import (
	"context"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

func count(t *testing.T, d *db.DB) int64 {
	t.Helper()
	var n int64
	err := d.Read(background, func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func add(tx *db.Tx, name string) error {
	return tx.Insert("event_cursors", "name, last_id", "", []any{name, 1})
}
