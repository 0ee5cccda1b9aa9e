package app_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/app/servertest"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// unbound lists the tables that no db.Table binds, with the reason.
var unbound = map[string]string{
	"goose_db_version":      "is written by the migrations",
	"schema_programs":       "is written by the migrations",
	"counters":              "hold numbers that single statements increase",
	"event_cursors":         "hold numbers that single statements move under a condition",
	"message_hours":         "are counted by a single statement under a condition",
	"verification_requests": "are counted by a single statement under a condition",
	"event_queue":           "holds arrays of events, which only PostgreSQL has, numbered by a default",
	"purchase_positions":    "are filled by statements from recent_positions and purchases, on SQLite only",
}

// unboundColumns lists columns that a binding leaves out, with the reason.
var unboundColumns = map[string]string{
	"accounts.carried_earned":  "is written by a view of the wallet",
	"accounts.carried_expired": "is written by a view of the wallet",
	"accounts.carried_used":    "is written by a view of the wallet",
	"search_documents.number":  "is on SQLite only, and numbered by it",
	"sellers.pin_hash":         "is a secret, which only checks of PINs read",
	"sellers.pin_tries":        "is counted by single statements",
	"sessions.ended_at":        "is set by the statements that end sessions",
}

// Every table is bound to a type once, with its key and all its columns, so that statements need no lists of their own.
func TestTablesAreBound(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		d := dbtest.Open(t, dbtest.Empty(t, engine), servertest.FixedClock)
		if err := d.Migrate(t.Context(), migrations.Files); err != nil {
			t.Fatal(err)
		}
		var stored []db.StoredTable
		err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			stored, err = tx.StoredTables()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range stored {
			var bound []*db.Schema
			for _, s := range db.Tables() {
				if s.Name == table.Name {
					bound = append(bound, s)
				}
			}
			switch known := unbound[table.Name] != ""; {
			case known && len(bound) > 0:
				t.Errorf("%s is bound, and listed as unbound", table.Name)
			case known:
			case len(bound) != 1:
				t.Errorf("%s is bound %d times, want once", table.Name, len(bound))
			default:
				checkBinding(t, &table, bound[0])
			}
		}
	})
}

func checkBinding(t *testing.T, table *db.StoredTable, bound *db.Schema) {
	t.Helper()
	var columns []string
	for _, c := range table.Columns {
		if unboundColumns[table.Name+"."+c.Name] == "" {
			columns = append(columns, c.Name)
		}
	}
	have := bound.AllColumns()
	slices.Sort(have)
	if diff := cmp.Diff(columns, have); diff != "" {
		t.Errorf("%s: stored columns (-), bound ones (+)\n%s", table.Name, diff)
	}
	// The key of the search index is another one on SQLite.
	if diff := cmp.Diff(table.Key, bound.Key); diff != "" && table.Name != "search_documents" {
		t.Errorf("%s: key (-), bound key (+)\n%s", table.Name, diff)
	}
}
