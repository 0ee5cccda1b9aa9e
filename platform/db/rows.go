package db

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Column is a column of rows that go into a statement, with the SQL type that both databases know.
type Column struct{ Name, Type string }

// Insert writes rows, in few round trips: an error may come with a later statement or with the commit. ending is
// appended to each statement, for ON CONFLICT; columns is the comma-separated list that every row follows.
func (tx *Tx) Insert(table, columns, ending string, rows ...[]any) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.db.engine.insert(tx, "INSERT INTO "+table+" ("+columns+") ", ending, rows)
}

// each runs the statement once for each row of values.
func (tx *Tx) each(query string, rows [][]any) error {
	for _, row := range rows {
		if err := tx.write(query, row); err != nil {
			return err
		}
	}
	return nil
}

// InsertNew writes one row unless a unique key already has it; inserted is false then.
func (tx *Tx) InsertNew(table, columns string, row []any) (inserted bool, err error) {
	n, err := tx.Exec("INSERT INTO "+table+" ("+columns+") "+values(len(row))+" ON CONFLICT DO NOTHING", row...)
	return n == 1, err
}

// Update changes many rows, as Insert writes them. Each row holds the values of the keys,
// then those of the sets. A row whose keys match nothing is passed over.
func (tx *Tx) Update(table string, keys, sets []Column, rows ...[]any) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.db.engine.update(tx, table, keys, sets, rows)
}

// Table appends the rows to args and returns them as a table v of a statement, whose columns are v.column1,
// v.column2 and so on, of the SQL types. With CROSS JOIN before a table and its key in WHERE, both databases
// look up row by row; for a long IN, PostgreSQL reads the whole index of a table that it has not analyzed yet.
func (tx *Tx) Table(args []any, types []string, rows ...[]any) (string, []any) {
	return tx.db.engine.table(args, types, rows)
}

// Among returns a table v of keys of one store, the first of args: v.store and v.column1, one of distinct texts. A row
// is compared with both: t.store_id = v.store AND t.key = v.column1. With the store's key in the place of v.store,
// PostgreSQL could read the whole store, and does so when it takes it for empty.
func (tx *Tx) Among(args []any, values ...string) (string, []any) {
	rows := make([][]any, len(values))
	for i := range values {
		rows[i] = []any{&values[i]}
	}
	source, args := tx.Table(args, oneText, rows...)
	return tx.db.engine.ofStore(source), args
}

var oneText = []string{"TEXT"}

// Distinct are the different ones of texts, sorted, as Among wants them.
func Distinct(texts []string) []string {
	sorted := slices.Clone(texts)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// In appends values to args and returns their placeholders, "($3,$4)". The list is padded by repeating
// the last value, so that lists of any length share few statement texts. values must not be empty.
func In(args []any, values ...string) (string, []any) {
	size := 1
	for size < len(values) {
		size *= 4
	}
	var b strings.Builder
	for i := range size {
		b.WriteByte("(,"[min(i, 1)])
		args = append(args, values[min(i, len(values)-1)])
		b.WriteString("$" + strconv.Itoa(len(args)))
	}
	b.WriteByte(')')
	return b.String(), args
}

// tuples writes rows of numbered placeholders, from the one after before: ($3,$4),($5,$6).
func tuples(b *strings.Builder, before, rows, width int) {
	for i := range rows * width {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%width == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		b.WriteString("$" + strconv.Itoa(before+i+1))
	}
	b.WriteByte(')')
}

var valueTexts sync.Map // of int to string; as many as there are widths of rows in the code

// values is "VALUES ($1,$2)", one row of so many values.
func values(width int) string {
	if text, ok := valueTexts.Load(width); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("VALUES ")
	tuples(&b, 0, 1, width)
	valueTexts.Store(width, b.String())
	return b.String()
}

// assignments are the SET and the WHERE of an UPDATE that takes the values of keys and then of sets from places that
// are numbered from 1.
func assignments(table, place string, keys, sets []Column) (set, where string) {
	var setting, matching []string
	for i, key := range keys {
		matching = append(matching, fmt.Sprintf("%s.%s = %s%d", table, key.Name, place, i+1))
	}
	for i, column := range sets {
		setting = append(setting, fmt.Sprintf("%s = %s%d", column.Name, place, len(keys)+i+1))
	}
	return " SET " + strings.Join(setting, ", "), " WHERE " + strings.Join(matching, " AND ")
}
