package postgres

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"punchcard/platform/db"
)

// arrayLimit is how many rows one statement writes.
const arrayLimit = 5000

// flavour writes PostgreSQL's SQL.
type flavour struct{}

// Name returns the name of the database.
func (flavour) Name() string { return "postgres" }

// Insert passes columns as arrays: one text and one plan for any number of rows, and no parameter for each
// value, which the server would parse, plan and bind one by one.
func (flavour) Insert(into, ending string, columns []db.Column, rows [][]any) (statements []db.Statement) {
	types := typesOf(columns)
	if len(rows) == 1 || slices.Contains(types, "") {
		return db.EachRow(into+db.Values(len(columns))+" "+ending, rows)
	}
	for some := range slices.Chunk(rows, arrayLimit) {
		arrays, args := arrays(nil, types, some)
		text := into + "SELECT * FROM " + unnest(arrays) + " " + ending
		statements = append(statements, db.Statement{Text: text, Args: args})
	}
	return statements
}

func typesOf(columns []db.Column) []string {
	types := make([]string, len(columns))
	for i, column := range columns {
		types[i] = column.Type
	}
	return types
}

// Update passes columns as arrays, as Insert does.
func (flavour) Update(name string, keys, sets []db.Column, rows [][]any) []db.Statement {
	if slices.Contains(typesOf(sets), "") {
		set, where := db.Assignments(name, "$", keys, sets)
		return db.EachRow("UPDATE "+name+set+where, rows)
	}
	set, where := db.Assignments(name, "v.column", keys, sets)
	return joined("UPDATE "+name+set+" FROM ", where, slices.Concat(keys, sets), rows)
}

// Delete passes columns as arrays, as Insert does.
func (flavour) Delete(name string, keys []db.Column, rows [][]any) []db.Statement {
	return joined("DELETE FROM "+name+" USING ", db.Matching(name, "v.column", keys), keys, rows)
}

// DeleteRows finds the rows again by their physical place, whatever the planner knows of the table. Nothing moves them
// in between, because they are locked.
func (flavour) DeleteRows(table, _, from string) string {
	return "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY(SELECT ctid " + from + " FOR UPDATE))"
}

// joined returns statements that join rows with a table.
func joined(before, after string, columns []db.Column, rows [][]any) (statements []db.Statement) {
	types := typesOf(columns)
	for some := range slices.Chunk(rows, arrayLimit) {
		columns, args := arrays(nil, types, some)
		statements = append(statements, db.Statement{Text: before + table(columns) + after, Args: args})
	}
	return statements
}

// Among hides the values of the table from the planner: OFFSET 0 makes a subquery that is planned separately. The
// subquery of each array hides the number of rows. Otherwise a plan for the rows of this statement looks cheaper than
// the one for any rows when there are few of them, and PostgreSQL plans the statement each time it runs.
func (flavour) Among(name string, columns []string, keys *db.Keys) db.Statement {
	arrays, args := arrays([]any{keys.StoreKey}, keys.Types, keys.Rows)
	for i := range arrays {
		arrays[i] = "(SELECT " + arrays[i] + ")"
	}
	return db.Statement{Text: "(SELECT CAST($1 AS BIGINT), k.* FROM " + unnest(arrays) + " AS k OFFSET 0) AS " + name +
		" (" + strings.Join(columns, ", ") + ")", Args: args}
}

// PerKey reads all keys in one statement. OFFSET 0 makes the planner run the query for each key instead of
// joining.
func (flavour) PerKey(query string, args []any, keys []string) []db.Statement {
	if len(keys) == 0 {
		return nil
	}
	args = append(slices.Clone(args), keys)
	return []db.Statement{{Text: "SELECT x.* FROM unnest(CAST($" + strconv.Itoa(len(args)) +
		" AS TEXT[])) AS v(key) CROSS JOIN LATERAL (SELECT * FROM (" + strings.ReplaceAll(query, "$key", "v.key") +
		") AS q OFFSET 0) AS x", Args: args}}
}

// arrays appends an array for each column to args and returns "CAST($1 AS TEXT[])" and so on.
func arrays(args []any, types []string, rows [][]any) (columns []string, _ []any) {
	columns = make([]string, len(types))
	for column, name := range types {
		args = append(args, columnOf(name, rows, column))
		columns[column] = "CAST($" + strconv.Itoa(len(args)) + " AS " + name + "[])"
	}
	return columns, args
}

// unnest returns the rows of arrays.
func unnest(arrays []string) string { return "unnest(" + strings.Join(arrays, ",") + ")" }

// table returns the rows of arrays as the table v.
func table(arrays []string) string {
	names := make([]string, len(arrays))
	for i := range names {
		names[i] = "column" + strconv.Itoa(i+1)
	}
	return unnest(arrays) + " AS v(" + strings.Join(names, ",") + ")"
}

// columnOf returns a column as the array that the driver sends.
func columnOf(sqlType string, rows [][]any, column int) any {
	switch sqlType {
	case "TEXT":
		return arrayOf[string](rows, column, reflect.Value.String)
	case "BOOLEAN":
		return arrayOf[bool](rows, column, reflect.Value.Bool)
	case "BIGINT":
		return arrayOf[int64](rows, column, reflect.Value.Int)
	}
	panic("a column of rows has the type " + sqlType) // a defect in the code: types are constants there
}

// unstorable takes the place of an array with a value that cannot be stored. The driver returns its error.
type unstorable struct{ err error }

func (u unstorable) Value() (driver.Value, error) { return nil, u.err }

// arrayOf copies the values, which may change before they are sent. The driver encodes slices of these types
// without reflection. It follows pointers only if there is a NULL.
func arrayOf[T any](rows [][]any, column int, read func(reflect.Value) T) any {
	values := make([]T, len(rows))
	null := make([]bool, len(rows))
	for i, row := range rows {
		switch v := row[column].(type) {
		case *T:
			if null[i] = v == nil; !null[i] {
				values[i] = *v
			}
		case T:
			values[i] = v
		default:
			value, err := plain(v)
			if err != nil {
				return unstorable{err}
			}
			if null[i] = !value.IsValid(); !null[i] {
				values[i] = read(value)
			}
		}
	}
	if !slices.Contains(null, true) {
		return values
	}
	pointers := make([]*T, len(rows))
	for i := range values {
		if !null[i] {
			pointers[i] = &values[i]
		}
	}
	return pgtype.FlatArray[*T](pointers)
}

// copied returns values that no longer change: it follows pointers and resolves Valuers.
func copied(args []any) ([]any, error) {
	values := make([]any, len(args))
	for i, arg := range args {
		value, err := plain(arg)
		if err != nil {
			return nil, err
		}
		if value.IsValid() {
			values[i] = value.Interface()
		}
	}
	return values, nil
}

// plain follows pointers and resolves Valuers. The result is invalid for NULL.
func plain(v any) (reflect.Value, error) {
	if valuer, ok := v.(driver.Valuer); ok {
		stored, err := valuer.Value()
		if err != nil {
			return reflect.Value{}, fmt.Errorf("a value of a row: %w", err)
		}
		return reflect.ValueOf(stored), nil
	}
	value := reflect.ValueOf(v)
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	return value, nil
}
