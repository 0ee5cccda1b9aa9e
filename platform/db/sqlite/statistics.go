package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// SQLite's planner takes a table without statistics for a small one, in which a store has few rows. Then it
// prefers reading all rows of a store to an index with more columns. So migrations write the statistics of a
// large program. They do no harm to a small one.
const (
	assumedRows  = 1_000_000 // of a table
	assumedStore = 500_000   // rows of a store
	assumedGroup = 40        // rows that share the next column as well; each further column divides them by four
)

// assumeLarge writes the statistics of all indexes that begin with the store.
func assumeLarge(ctx context.Context, on *sql.DB) (err error) {
	tx, err := on.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	// This ANALYZE creates the table of statistics and does nothing else.
	for _, statement := range []string{`ANALYZE sqlite_schema`, `DELETE FROM sqlite_stat1`} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	rows, err := tx.QueryContext(ctx, `SELECT t.name, i.name, i.origin, i."unique", group_concat(c.name, ' ')
		FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
		WHERE t.type = 'table' GROUP BY 1, 2, 3, 4 HAVING group_concat(c.name, ' ') LIKE 'store_id %'`)
	if err != nil {
		return err
	}
	type index struct{ table, name, statistics string }
	var all []index
	for rows.Next() {
		var one index
		var origin, columns string
		var unique bool
		if err := rows.Scan(&one.table, &one.name, &origin, &unique, &columns); err != nil {
			return errors.Join(err, rows.Close())
		}
		if origin == "pk" {
			one.name = one.table // the name of the primary key of a table without row ids
		}
		one.statistics = assumed(strings.Count(columns, " "), unique)
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, one := range all {
		if _, err := tx.ExecContext(ctx, `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)`,
			one.table, one.name, one.statistics); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// assumed returns the statistics of an index with the given number of columns after the store: the number of
// rows, then how many share the first column, the first two, and so on.
func assumed(further int, unique bool) string {
	text := fmt.Sprintf("%d %d", assumedRows, assumedStore)
	for i, rows := 0, assumedGroup; i < further; i, rows = i+1, max(2, rows/4) {
		if unique && i == further-1 {
			rows = 1
		}
		text += fmt.Sprintf(" %d", rows)
	}
	return text
}
