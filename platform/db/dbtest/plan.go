package dbtest

import (
	"testing"

	"punchcard/platform/db"
)

// Analyze takes the planner's statistics of all tables on PostgreSQL; those of SQLite are constants.
func Analyze(t testing.TB, d *db.DB) {
	t.Helper()
	if d.Engine() != "postgres" {
		return
	}
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("ANALYZE")
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// Plan returns the lines of the query plan of a statement.
func Plan(tx *db.Tx, query string, args []any) ([]string, error) {
	if tx.Engine() == "postgres" {
		return db.AllValues[string](tx, "EXPLAIN "+query, args...)
	}
	return db.All(tx, func(line *string) []any { return []any{new(int64), new(int64), new(int64), line} },
		"EXPLAIN QUERY PLAN "+query, args...)
}
