package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"punchcard/platform/db"
)

// Settings of a connection that loads.
const (
	loadCache = 128 << 10 // KiB
	loadRows  = 50_000    // in one transaction
)

// Catalog leaves out the tables of SQLite, and the full-text index with its own ones.
func (*engine) Catalog() string {
	return `SELECT t.name, c.name, c.type, c."notnull", c.pk FROM pragma_table_list t, pragma_table_xinfo(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND c.hidden = 0
		ORDER BY t.name, c.name`
}

// Hold has nothing to do: a transaction of Begin is the only one that writes.
func (*engine) Hold(context.Context, db.Conn) error { return nil }

// filler loads through a connection of its own, which does not wait for the disk.
type filler struct {
	*connection
	indexes []string // statements that make them
}

// Load syncs nothing to the disk until the end.
func (e *engine) Load(ctx context.Context, tables []db.StoredTable, run func(db.Filler) error) (err error) {
	on, err := openConn(e.file, "rw", "synchronous = OFF", "foreign_keys = OFF", "secure_delete = OFF",
		"temp_store = FILE", fmt.Sprintf("cache_size = -%d", loadCache))
	if err != nil {
		return explainDisk(e.file, err)
	}
	defer func() { err = explainDisk(e.file, errors.Join(err, on.close())) }()
	f := &filler{connection: on}
	if err := f.empty(ctx, tables); err != nil {
		return err
	}
	if err := run(f); err != nil {
		return err
	}
	// Statistics of indexes go with them.
	if err := e.throughSQL(func(on *sql.DB) error { return assumeLarge(ctx, on) }); err != nil {
		return err
	}
	return on.run("PRAGMA synchronous = FULL")
}

// empty deletes the rows of tables, and their indexes but those of primary keys.
func (f *filler) empty(ctx context.Context, tables []db.StoredTable) error {
	var statements []string
	for _, t := range tables {
		rows, err := f.Query(ctx, `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
			AND tbl_name = $1 ORDER BY name`, []any{t.Name})
		if err != nil {
			return err
		}
		for rows.Next() {
			var name, text string
			if err := rows.Scan(&name, &text); err != nil {
				return errors.Join(err, rows.Close())
			}
			statements, f.indexes = append(statements, "DROP INDEX "+name), append(f.indexes, text)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
		statements = append(statements, "DELETE FROM "+t.Name)
	}
	for _, text := range statements {
		if err := f.run(text); err != nil {
			return err
		}
	}
	return nil
}

// Fill inserts row by row, loadRows in a transaction.
func (f *filler) Fill(ctx context.Context, t db.StoredTable, cells []any, next func() (bool, error)) (err error) {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	insert := "INSERT INTO " + t.Name + " (" + strings.Join(names, ", ") + ") " + db.Values(len(cells))
	for more := true; more; {
		if err := f.run("BEGIN"); err != nil {
			return err
		}
		for n := 0; n < loadRows && more; n++ {
			if more, err = next(); more && err == nil {
				_, err = f.Exec(ctx, insert, cells)
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", t.Name, err)
			}
		}
		if err := f.run("COMMIT"); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return nil
}

// Index makes the indexes that the tables had.
func (f *filler) Index(context.Context) error {
	for _, text := range f.indexes {
		if err := f.run(text); err != nil {
			return err
		}
	}
	return nil
}
