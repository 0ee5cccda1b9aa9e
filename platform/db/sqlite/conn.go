package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"punchcard/platform/db"
)

// busyTimeout is how long a statement waits for another process that locks the file.
const busyTimeout = 5 * time.Second

// connection is a connection with its prepared statements. One goroutine at a time uses it.
//
// It does without database/sql, whose conversions and locks take a third of the time of a short statement.
type connection struct {
	conn *sqlite.Conn
	// byText holds every statement, prepared once: parsing takes longer than running. The texts are those of
	// the code, so their number is bounded.
	byText map[string]*sqlite.Stmt
}

// openConn opens a file in one of SQLite's modes: ro, rw, or rwc, which creates it.
func openConn(file, mode string, pragmas ...string) (*connection, error) {
	flags := map[string]sqlite.OpenFlags{
		"ro": sqlite.OpenReadOnly, "rw": sqlite.OpenReadWrite, "rwc": sqlite.OpenReadWrite | sqlite.OpenCreate,
	}[mode]
	conn, err := sqlite.OpenConn(file, flags)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	conn.SetBusyTimeout(busyTimeout) // first, because the settings may wait too
	c := &connection{conn: conn, byText: map[string]*sqlite.Stmt{}}
	fixed := []string{"temp_store = MEMORY"}
	if mode != "ro" {
		fixed = append(fixed, "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON",
			// Deleted rows are overwritten with zeros, so that no erased personal data is left in the file.
			"secure_delete = ON")
	}
	for _, pragma := range append(fixed, pragmas...) {
		if err := c.run("PRAGMA " + pragma); err != nil {
			return nil, errors.Join(explainDamage(file, err), c.close())
		}
	}
	return c, nil
}

func (c *connection) close() error {
	if err := c.conn.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// run executes a statement without keeping it.
func (c *connection) run(text string) error {
	stmt, _, err := c.conn.PrepareTransient(text)
	if err == nil {
		for more := true; more && err == nil; {
			more, err = stmt.Step()
		}
		err = errors.Join(err, stmt.Finalize())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

func (c *connection) prepared(query string, args []any) (*sqlite.Stmt, error) {
	stmt := c.byText[query]
	if stmt == nil {
		var err error
		if stmt, err = c.conn.Prepare(adapt(query)); err != nil {
			return nil, err
		}
		c.byText[query] = stmt
	} else if err := stmt.Reset(); err != nil {
		return nil, err
	}
	if n := stmt.BindParamCount(); n != len(args) {
		return nil, fmt.Errorf("%d values for %d places", len(args), n)
	}
	for i, arg := range args {
		if err := bind(stmt, i+1, arg); err != nil {
			return nil, fmt.Errorf("value %d: %w", i+1, err)
		}
	}
	return stmt, nil
}

// exec returns how many rows an INSERT, UPDATE or DELETE changed.
func (c *connection) Exec(_ context.Context, query string, args []any) (int64, error) {
	stmt, err := c.prepared(query, args)
	if err != nil {
		return 0, err
	}
	for more := true; more; {
		if more, err = stmt.Step(); err != nil {
			return 0, err
		}
	}
	return int64(c.conn.Changes()), nil
}

func (c *connection) ExecDeferred(ctx context.Context, query string, args []any) error {
	_, err := c.Exec(ctx, query, args)
	return err
}

func (c *connection) Query(ctx context.Context, query string, args []any) (db.Rows, error) {
	stmt, err := c.prepared(query, args)
	if err != nil {
		return nil, err
	}
	if ctx.Done() != nil {
		c.conn.SetInterrupt(ctx.Done())
	}
	return &connectionRows{ctx: ctx, conn: c.conn, stmt: stmt}, nil
}

// connectionRows are the rows of a running statement.
type connectionRows struct {
	ctx  context.Context
	conn *sqlite.Conn
	stmt *sqlite.Stmt
	err  error
}

func (r *connectionRows) Next() bool {
	more, err := r.stmt.Step()
	if sqlite.ErrCode(err) == sqlite.ResultInterrupt && r.ctx.Err() != nil {
		err = r.ctx.Err()
	}
	r.err = err
	return more
}

func (r *connectionRows) Err() error { return r.err }

func (r *connectionRows) Close() error {
	if r.ctx.Done() != nil {
		r.conn.SetInterrupt(nil)
	}
	return r.stmt.Reset()
}

func (r *connectionRows) Scan(destinations ...any) error {
	for i, to := range destinations {
		if err := readColumn(r.stmt, i, to); err != nil {
			return fmt.Errorf("column %s: %w", r.stmt.ColumnName(i), err)
		}
	}
	return nil
}

// bind sets a parameter. UUIDs are packed.
func bind(stmt *sqlite.Stmt, place int, value any) error {
	switch v := value.(type) {
	case nil:
		stmt.BindNull(place)
	case string:
		bindText(stmt, place, v)
	case *string:
		if v == nil {
			stmt.BindNull(place)
		} else {
			bindText(stmt, place, *v)
		}
	case int64:
		stmt.BindInt64(place, v)
	case *int64:
		if v == nil {
			stmt.BindNull(place)
		} else {
			stmt.BindInt64(place, *v)
		}
	case bool:
		stmt.BindBool(place, v)
	case *bool:
		if v == nil {
			stmt.BindNull(place)
		} else {
			stmt.BindBool(place, *v)
		}
	case db.TimeColumn:
		if v.T.IsZero() {
			stmt.BindNull(place)
		} else {
			stmt.BindInt64(place, v.T.UnixMicro())
		}
	case driver.Valuer:
		plain, err := v.Value()
		if err != nil {
			return err
		}
		return bind(stmt, place, plain)
	default:
		return bindKind(stmt, place, reflect.ValueOf(value))
	}
	return nil
}

func bindText(stmt *sqlite.Stmt, place int, text string) {
	if id, ok := pack(text); ok {
		stmt.BindBytes(place, id[:])
	} else {
		stmt.BindText(place, text)
	}
}

// bindKind sets a parameter to a value of a named type, or to the value that a pointer points to. A nil
// pointer is NULL.
func bindKind(stmt *sqlite.Stmt, place int, value reflect.Value) error {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			stmt.BindNull(place)
			return nil
		}
		if value.Elem().Kind() == reflect.Pointer {
			return bindKind(stmt, place, value.Elem())
		}
		return bind(stmt, place, value.Elem().Interface())
	case reflect.String:
		bindText(stmt, place, value.String())
	case reflect.Int, reflect.Int32, reflect.Int64:
		stmt.BindInt64(place, value.Int())
	case reflect.Bool:
		stmt.BindBool(place, value.Bool())
	case reflect.Float64:
		stmt.BindFloat(place, value.Float())
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			stmt.BindBytes(place, value.Bytes())
			return nil
		}
		fallthrough
	default:
		return fmt.Errorf("a %s cannot be stored", value.Type())
	}
	return nil
}

// readColumn reads a column of the current row. UUIDs are unpacked.
func readColumn(stmt *sqlite.Stmt, column int, to any) error {
	is := stmt.ColumnType(column)
	switch to := to.(type) {
	case *string:
		return readText(stmt, column, is, to)
	case *int64:
		*to = stmt.ColumnInt64(column)
		return expect(is, sqlite.TypeInteger)
	case *bool:
		*to = stmt.ColumnInt64(column) != 0
		return expect(is, sqlite.TypeInteger)
	case db.TimeColumn:
		if is == sqlite.TypeNull {
			*to.T = time.Time{}
			return nil
		}
		*to.T = time.UnixMicro(stmt.ColumnInt64(column)).UTC()
		return expect(is, sqlite.TypeInteger)
	case *any:
		*to = columnValue(stmt, column, is)
		return nil
	case sql.Scanner:
		return to.Scan(columnValue(stmt, column, is))
	}
	return readKind(stmt, column, is, reflect.ValueOf(to).Elem())
}

func readText(stmt *sqlite.Stmt, column int, is sqlite.ColumnType, to *string) error {
	if is == sqlite.TypeBlob && stmt.ColumnLen(column) == packedLength {
		var id [packedLength]byte
		stmt.ColumnBytes(column, id[:])
		*to = unpack(id[:])
		return nil
	}
	*to = stmt.ColumnText(column)
	return expect(is, sqlite.TypeText)
}

// readKind reads a column into a variable of a named type.
func readKind(stmt *sqlite.Stmt, column int, is sqlite.ColumnType, to reflect.Value) error {
	switch to.Kind() {
	case reflect.Pointer:
		if is == sqlite.TypeNull {
			to.SetZero()
			return nil
		}
		value := reflect.New(to.Type().Elem())
		to.Set(value)
		return readColumn(stmt, column, value.Interface())
	case reflect.String:
		var text string
		err := readText(stmt, column, is, &text)
		to.SetString(text)
		return err
	case reflect.Int, reflect.Int32, reflect.Int64:
		to.SetInt(stmt.ColumnInt64(column))
		return expect(is, sqlite.TypeInteger)
	case reflect.Bool:
		to.SetBool(stmt.ColumnInt64(column) != 0)
		return expect(is, sqlite.TypeInteger)
	case reflect.Float64:
		to.SetFloat(stmt.ColumnFloat(column))
		return expect(is, sqlite.TypeFloat)
	case reflect.Slice:
		if to.Type().Elem().Kind() != reflect.Uint8 {
			break
		}
		if is == sqlite.TypeNull {
			to.SetBytes(nil)
			return nil
		}
		to.SetBytes(columnBytes(stmt, column))
		return nil
	}
	return fmt.Errorf("a %s cannot be read", to.Type())
}

// columnValue returns a column as sql.Scanner expects it.
func columnValue(stmt *sqlite.Stmt, column int, is sqlite.ColumnType) any {
	switch is {
	case sqlite.TypeInteger:
		return stmt.ColumnInt64(column)
	case sqlite.TypeFloat:
		return stmt.ColumnFloat(column)
	case sqlite.TypeText:
		return stmt.ColumnText(column)
	case sqlite.TypeBlob:
		return columnBytes(stmt, column)
	}
	return nil
}

func columnBytes(stmt *sqlite.Stmt, column int) []byte {
	bytes := make([]byte, stmt.ColumnLen(column))
	stmt.ColumnBytes(column, bytes)
	return bytes
}

func expect(is, wanted sqlite.ColumnType) error {
	if is == wanted {
		return nil
	}
	return fmt.Errorf("it holds %s where %s was expected",
		strings.TrimPrefix(is.String(), "SQLITE_"), strings.TrimPrefix(wanted.String(), "SQLITE_"))
}
