package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
)

// StoredTable is a table as the catalog of a database describes it, without generated columns.
type StoredTable struct {
	Name    string
	Columns []StoredColumn // in the order of their names
	Key     []string       // the columns of the primary key
}

// StoredColumn is a column of a StoredTable. Its type is TEXT, BIGINT, BOOLEAN or BYTES; any other is a type of one
// database, whose values the other cannot hold.
type StoredColumn struct {
	Name, Type string
	Null       bool // the value may be missing
}

// Sum is the number of rows of a table, and the sum of a hash of each. It is the same on both databases, in any order.
type Sum struct {
	Rows int64
	Hash uint64
}

// Filler writes whole tables of a database that nobody else uses. Indexes other than primary keys are missing until
// Index. Its Conn reads what it has written.
type Filler interface {
	Conn
	// Fill adds rows to a table. next reads a row into cells and reports whether there was one.
	Fill(ctx context.Context, table StoredTable, cells []any, next func() (bool, error)) error
	// Index makes the indexes and the constraints.
	Index(ctx context.Context) error
}

// StoredTables returns all tables, in the order of their names, without those that SQLite keeps for itself and for its
// full-text index.
func (tx *Tx) StoredTables() ([]StoredTable, error) {
	type row struct {
		table, name, kind string
		required          bool
		key               int64 // place in the primary key, from 1; 0 for none
	}
	rows, err := All(tx, func(r *row) []any { return []any{&r.table, &r.name, &r.kind, &r.required, &r.key} },
		tx.db.engine.Catalog())
	var tables []StoredTable
	for _, r := range rows {
		if len(tables) == 0 || tables[len(tables)-1].Name != r.table {
			tables = append(tables, StoredTable{Name: r.table})
		}
		of := &tables[len(tables)-1]
		of.Columns = append(of.Columns, StoredColumn{Name: r.name, Type: commonType(r.kind), Null: !r.required && r.key == 0})
		if r.key > 0 {
			of.Key = append(of.Key, make([]string, max(0, int(r.key)-len(of.Key)))...)
			of.Key[r.key-1] = r.name
		}
	}
	return tables, err
}

// commonType returns the type that both databases have for one of theirs.
func commonType(kind string) string {
	switch kind = strings.ToUpper(kind); kind {
	case "INTEGER":
		return "BIGINT"
	case "BLOB", "BYTEA":
		return "BYTES"
	}
	return kind
}

// columns returns the names of the columns as a list.
func (t *StoredTable) columns() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// cells returns variables for the values of a row.
func (t *StoredTable) cells() ([]any, error) {
	cells := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		switch {
		case c.Type == "TEXT" && c.Null:
			cells[i] = new(*string)
		case c.Type == "TEXT":
			cells[i] = new(string)
		case c.Type == "BIGINT" && c.Null:
			cells[i] = new(*int64)
		case c.Type == "BIGINT":
			cells[i] = new(int64)
		case c.Type == "BOOLEAN" && c.Null:
			cells[i] = new(*bool)
		case c.Type == "BOOLEAN":
			cells[i] = new(bool)
		case c.Type == "BYTES":
			cells[i] = new([]byte)
		default:
			return nil, fmt.Errorf("column %s of table %s has the type %s, which only one database has", c.Name, t.Name,
				c.Type)
		}
	}
	return cells, nil
}

// rowsOf reads a table, whose rows are called one by one by next into cells.
func (tx *Tx) rowsOf(t *StoredTable) (cells []any, next func() (bool, error), done func(), err error) {
	if cells, err = t.cells(); err != nil {
		return nil, nil, nil, err
	}
	query := "SELECT " + t.columns() + " FROM " + t.Name
	if tx.Engine() != "sqlite" && len(t.Key) > 0 { // SQLite reads rows in the order in which it stores them
		query += " ORDER BY " + strings.Join(t.Key, ", ")
	}
	rows, err := tx.on.Query(tx.ctx, query, nil)
	if err != nil {
		return nil, nil, nil, StatementError(query, err)
	}
	next = func() (bool, error) {
		if !rows.Next() {
			return false, rows.Err()
		}
		return true, rows.Scan(cells...)
	}
	return cells, next, func() { _ = rows.Close() }, nil // the error of an incomplete result is that of Err
}

// SumStored reads a table. progress is called from time to time with the number of rows.
func (tx *Tx) SumStored(t StoredTable, progress func(rows int64)) (sum Sum, err error) {
	cells, next, done, err := tx.rowsOf(&t)
	if err != nil {
		return sum, err
	}
	defer done()
	for more := true; more && err == nil; {
		if more, err = next(); more && err == nil {
			err = sum.add(&t, cells, progress)
		}
	}
	return sum, err
}

// CopyStored writes all rows of a table of one database into the same table of another.
func CopyStored(ctx context.Context, from *Tx, to Filler, t StoredTable, progress func(int64)) (sum Sum, err error) {
	cells, next, done, err := from.rowsOf(&t)
	if err != nil {
		return sum, err
	}
	defer done()
	err = to.Fill(ctx, t, cells, func() (bool, error) {
		more, err := next()
		if more && err == nil {
			err = sum.add(&t, cells, progress)
		}
		return more, err
	})
	return sum, err
}

// progressRows is the number of rows between two calls of progress.
const progressRows = 10_000

// add counts a row.
func (s *Sum) add(t *StoredTable, cells []any, progress func(rows int64)) error {
	h := rowHash(14695981039346656037)
	for i, cell := range cells {
		switch v := cell.(type) {
		case *string:
			h.text(*v)
		case **string:
			if h.is(*v != nil) {
				h.text(**v)
			}
		case *int64:
			h.number(uint64(*v))
		case **int64:
			if h.is(*v != nil) {
				h.number(uint64(**v))
			}
		case *bool:
			h.is(*v)
		case **bool:
			if h.is(*v != nil) {
				h.is(**v)
			}
		case *[]byte:
			h.text(string(*v))
		}
		if text, is := textOf(cell); is && strings.Contains(text, "\x00") {
			return fmt.Errorf("table %s: column %s holds a zero byte, which PostgreSQL cannot store, in the row %s", t.Name,
				t.Columns[i].Name, t.keyOf(cells))
		}
	}
	s.Hash += h.mixed()
	if s.Rows++; s.Rows%progressRows == 0 {
		progress(s.Rows)
	}
	return nil
}

func textOf(cell any) (string, bool) {
	switch v := cell.(type) {
	case *string:
		return *v, true
	case **string:
		if *v != nil {
			return **v, true
		}
	}
	return "", false
}

// keyOf describes a row by its primary key.
func (t *StoredTable) keyOf(cells []any) string {
	var parts []string
	for i, c := range t.Columns {
		for _, name := range t.Key {
			if text, is := textOf(cells[i]); name == c.Name && is {
				parts = append(parts, fmt.Sprintf("%s = %q", name, text))
			} else if number, is := cells[i].(*int64); name == c.Name && is {
				parts = append(parts, fmt.Sprintf("%s = %d", name, *number))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// rowHash is an FNV-1a hash of the values of a row.
type rowHash uint64

func (h *rowHash) text(text string) {
	h.number(uint64(len(text)))
	x := uint64(*h)
	for i := range len(text) {
		x = (x ^ uint64(text[i])) * 1099511628211
	}
	*h = rowHash(x)
}

func (h *rowHash) number(n uint64) {
	var bytes [8]byte
	binary.LittleEndian.PutUint64(bytes[:], n)
	x := uint64(*h)
	for _, b := range bytes {
		x = (x ^ uint64(b)) * 1099511628211
	}
	*h = rowHash(x)
}

func (h *rowHash) is(yes bool) bool {
	n := uint64(0)
	if yes {
		n = 1
	}
	*h = rowHash((uint64(*h) ^ n) * 1099511628211)
	return yes
}

// mixed spreads the hash over all bits, so that small differences of rows do not cancel out in a sum.
func (h *rowHash) mixed() uint64 {
	x := uint64(*h)
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Freeze runs reads on the data of one moment, while other processes can read but not write. On PostgreSQL they
// wait for the locks of the tables.
func (d *DB) Freeze(ctx context.Context, run func(tx *Tx) error) error {
	hold, err := d.engine.Begin(ctx)
	if err != nil {
		return d.engine.Classify(err)
	}
	defer hold.Rollback()
	if err := d.engine.Hold(ctx, hold); err != nil {
		return err
	}
	return d.Snapshot(ctx, run)
}
