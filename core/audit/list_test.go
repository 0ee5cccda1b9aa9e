package audit_test

import (
	"testing"
	"time"

	"punchcard/core/audit"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A list has the entries of the moment at which it begins, and not those of the moment at which it ends.
func TestListEndsBeforeItsEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		begin := time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)
		end := begin.AddDate(0, 0, 1)
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			var entries []*audit.Entry
			for _, at := range []time.Time{begin.Add(-1000), begin, end.Add(-1000), end} {
				entries = append(entries, &audit.Entry{ID: tx.NewID(), Event: "ChangeLevel", CreatedAt: at})
			}
			if err := audit.Append(tx, entries...); err != nil {
				return err
			}
			found, total, err := audit.List(tx, audit.Filter{From: begin, To: end}, true, 10, 0)
			if err == nil && (total != 2 || len(found) != 2 || found[0].ID != entries[1].ID || found[1].ID != entries[2].ID) {
				t.Errorf("%d entries, %v", total, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
