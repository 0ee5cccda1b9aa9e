package dbtest

import "punchcard/platform/db"

// Plan returns the lines of the query plan of a statement.
func Plan(tx *db.Tx, query string, args []any) ([]string, error) {
	if tx.Engine() == "postgres" {
		return db.All(tx, func(line *string) []any { return []any{line} }, "EXPLAIN "+query, args...)
	}
	return db.All(tx, func(line *string) []any { return []any{new(int64), new(int64), new(int64), line} },
		"EXPLAIN QUERY PLAN "+query, args...)
}
