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

// Insert writes rows with as few statements as possible. ending is appended to each, for ON CONFLICT;
// columns is the comma-separated list that every row follows.
func (tx *Tx) Insert(table, columns, ending string, rows ...[]any) error {
	into := "INSERT INTO " + table + " (" + columns + ") "
	for len(rows) > 0 {
		source, args, n := tx.db.engine.rows(rows)
		if _, err := tx.Exec(into+source+" "+ending, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// InsertNew writes one row unless a unique key already has it; inserted is false then.
func (tx *Tx) InsertNew(table, columns string, row []any) (inserted bool, err error) {
	n, err := tx.Exec("INSERT INTO "+table+" ("+columns+") "+values(1, len(row))+" ON CONFLICT DO NOTHING", row...)
	return n == 1, err
}

// Update changes many rows with as few statements as possible. Each row holds the values of the keys,
// then those of the sets. A row whose keys match nothing is passed over.
func (tx *Tx) Update(table string, keys, sets []Column, rows ...[]any) error {
	types := make([]string, 0, len(keys)+len(sets))
	var set, where strings.Builder
	for i, key := range keys {
		types = append(types, key.Type)
		fmt.Fprintf(&where, " AND %s.%s = v.column%d", table, key.Name, i+1)
	}
	for i, column := range sets {
		types = append(types, column.Type)
		fmt.Fprintf(&set, ", %s = v.column%d", column.Name, len(keys)+i+1)
	}
	for len(rows) > 0 {
		n := tx.db.engine.atOnce(len(rows))
		source, args := tx.Table(nil, types, rows[:n]...)
		query := "UPDATE " + table + " SET " + set.String()[2:] + " FROM " + source + " WHERE " + where.String()[5:]
		if _, err := tx.Exec(query, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// Table appends the rows to args and returns them as a table v of a statement, whose columns are v.column1,
// v.column2 and so on, of the SQL types. With CROSS JOIN before a table and its key in WHERE, both databases
// look up row by row; for a long IN, PostgreSQL reads the whole index of a table that it has not analyzed yet.
func (tx *Tx) Table(args []any, types []string, rows ...[]any) (string, []any) {
	return tx.db.engine.table(args, types, rows)
}

// Among is Table for one column of distinct texts.
func (tx *Tx) Among(args []any, values ...string) (string, []any) {
	rows := make([][]any, len(values))
	for i := range values {
		rows[i] = []any{&values[i]}
	}
	return tx.Table(args, oneText, rows...)
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

type shape struct{ rows, width int }

var valueTexts sync.Map // of shape to string; as many as there are widths of rows in the code, times four

// values is "VALUES ($1,$2),($3,$4)".
func values(rows, width int) string {
	if text, ok := valueTexts.Load(shape{rows, width}); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("VALUES ")
	tuples(&b, 0, rows, width)
	valueTexts.Store(shape{rows, width}, b.String())
	return b.String()
}

// chunk is the largest of 64, 16, 4 and 1 that fits: few statement texts, each prepared once.
func chunk(rows int) int {
	for _, n := range [...]int{64, 16, 4} {
		if rows >= n {
			return n
		}
	}
	return 1
}

// chunkOfValues is the source of as many rows of an INSERT as one statement takes, with their values.
func chunkOfValues(rows [][]any) (source string, args []any, n int) {
	n = chunk(len(rows))
	return values(n, len(rows[0])), slices.Concat(rows[:n]...), n
}
