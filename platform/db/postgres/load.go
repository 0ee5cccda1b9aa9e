package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"punchcard/platform/db"
)

// Catalog reads the tables of the schema of the connection.
func (*engine) Catalog() string {
	return `SELECT CAST(t.relname AS TEXT), CAST(c.attname AS TEXT), format_type(c.atttypid, NULL), c.attnotnull,
			CAST(COALESCE(array_position(CAST(i.indkey AS SMALLINT[]), c.attnum) + 1, 0) AS BIGINT)
		FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid 
			LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
		WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND c.attnum > 0
			AND NOT c.attisdropped AND c.attgenerated = ''
		ORDER BY CAST(t.relname AS TEXT) COLLATE "C", CAST(c.attname AS TEXT) COLLATE "C"`
}

// noLimits are settings of a transaction that takes as long as it takes.
const noLimits = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;`

// Hold locks all tables of the schema against writes.
func (*engine) Hold(ctx context.Context, on db.Conn) error {
	for _, text := range append(strings.SplitAfter(noLimits, ";")[:2], lockTables) {
		if _, err := on.Exec(ctx, text, nil); err != nil {
			return fmt.Errorf("lock the tables: %w", err)
		}
	}
	return nil
}

const lockTables = `DO $$ BEGIN
	EXECUTE (SELECT 'LOCK TABLE ' || string_agg(CAST(CAST(oid AS REGCLASS) AS TEXT), ', ' ORDER BY relname) ||
		' IN SHARE MODE' FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r');
END $$`

// filler loads in a transaction.
type filler struct {
	reader
	tx   pgx.Tx
	made []string // statements that make indexes and constraints again
}

// Load is one transaction, so that a load that does not end leaves nothing.
func (e *engine) Load(ctx context.Context, tables []db.StoredTable, run func(db.Filler) error) error {
	tx, err := e.pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }() // does nothing after the commit
	_, err = tx.Exec(ctx, noLimits+` SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL enable_seqscan = on`)
	if err != nil {
		return err
	}
	f := &filler{reader: reader{tx}, tx: tx}
	if err := f.empty(ctx, tables); err != nil {
		return err
	}
	if err := run(f); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// empty deletes the rows of tables, their foreign keys, and their indexes that no constraint needs.
func (f *filler) empty(ctx context.Context, tables []db.StoredTable) error {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	if _, err := f.tx.Exec(ctx, "TRUNCATE "+strings.Join(names, ", ")); err != nil {
		return fmt.Errorf("empty the tables: %w", err)
	}
	for _, query := range []string{
		`SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', CAST(conrelid AS REGCLASS), conname),
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', CAST(conrelid AS REGCLASS), conname, pg_get_constraintdef(oid))
		FROM pg_constraint WHERE contype = 'f' AND CAST(CAST(conrelid AS REGCLASS) AS TEXT) = ANY ($1) ORDER BY conname`,
		`SELECT format('DROP INDEX %s', CAST(indexrelid AS REGCLASS)), pg_get_indexdef(indexrelid)
		FROM pg_index WHERE CAST(CAST(indrelid AS REGCLASS) AS TEXT) = ANY ($1)
			AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) ORDER BY 1`,
	} {
		rows, err := f.tx.Query(ctx, query, names)
		if err != nil {
			return err
		}
		type pair struct{ Drop, Make string }
		pairs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pair])
		if err != nil {
			return err
		}
		for _, p := range pairs {
			if _, err := f.tx.Exec(ctx, p.Drop); err != nil {
				return fmt.Errorf("%s: %w", p.Drop, err)
			}
			f.made = append(f.made, p.Make)
		}
	}
	return nil
}

// Fill copies the rows with COPY.
func (f *filler) Fill(ctx context.Context, t db.StoredTable, cells []any, next func() (bool, error)) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	_, err := f.tx.CopyFrom(ctx, pgx.Identifier{t.Name}, names, pgx.CopyFromFunc(func() ([]any, error) {
		if more, err := next(); err != nil || !more {
			return nil, err
		}
		return cells, nil
	}))
	if err == nil {
		return nil
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Where != "" {
		return fmt.Errorf("table %s: %w (%s)", t.Name, err, pg.Where)
	}
	return fmt.Errorf("table %s: %w", t.Name, err)
}

// Index makes the indexes and the foreign keys that the tables had, the latter last, and the statistics of the planner.
func (f *filler) Index(ctx context.Context) error {
	for i := range f.made {
		text := f.made[len(f.made)-1-i]
		if _, err := f.tx.Exec(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	_, err := f.tx.Exec(ctx, "ANALYZE")
	return err
}
