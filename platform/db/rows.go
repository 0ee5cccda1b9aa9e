package db

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Column is a column of rows that are passed to a statement, with its SQL type: TEXT, BIGINT, BOOLEAN, or empty for
// another one.
type Column struct {
	Name, Type string
	Adds       bool // Update adds the value to that of the row
}

// Insert writes rows in few round trips. An error may be returned by a later statement or by the commit.
// columns is the comma-separated list that every row follows, and ending is appended to each statement, for ON
// CONFLICT.
func (tx *Tx) Insert(table, columns, ending string, rows ...[]any) error {
	if len(rows) == 0 {
		return nil
	}
	typed := make([]Column, len(rows[0]))
	for i, value := range rows[0] {
		typed[i].Type = TypeOf(value)
	}
	return tx.writeAll(tx.db.engine.Insert("INSERT INTO "+table+" ("+columns+") ", ending, typed, rows))
}

func (tx *Tx) writeAll(statements []Statement) error {
	for _, s := range statements {
		if err := tx.write(s.Text, s.Args); err != nil {
			return err
		}
	}
	return nil
}

// EachRow returns a statement for each row of values.
func EachRow(query string, rows [][]any) []Statement {
	all := make([]Statement, len(rows))
	for i, row := range rows {
		all[i] = Statement{query, row}
	}
	return all
}

// InsertNew writes one row unless it conflicts with a unique key; then inserted is false.
func (tx *Tx) InsertNew(table, columns string, row []any) (inserted bool, err error) {
	n, err := tx.Exec("INSERT INTO "+table+" ("+columns+") "+Values(len(row))+" ON CONFLICT DO NOTHING", row...)
	return n == 1, err
}

// Update changes many rows, as Insert writes them. Each row has the values of keys and then those of sets.
// Rows whose keys match nothing are ignored.
func (tx *Tx) Update(table string, keys, sets []Column, rows ...[]any) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.writeAll(tx.db.engine.Update(table, keys, sets, rows))
}

// Delete deletes the rows with some keys, as Update changes them.
func (tx *Tx) Delete(table string, keys []Column, rows ...[]any) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.writeAll(tx.db.engine.Delete(table, keys, rows))
}

// Keys are keys of a store, which stand in a query as a table. See Among.
type Keys struct {
	StoreKey int64
	Types    []string // SQL types of the columns
	Rows     [][]any
	flavour  Flavour
}

// Among returns distinct keys of a store as a table for a query in which it stands as ?, with the names of its columns,
// the first of which is the store: "FROM ? AS v (store, id)". It is the way to look up many rows: the query joins the
// table with CROSS JOIN and compares all columns, p.store_id = v.store AND p.coupon_id = v.id, and both databases look
// up row by row. With a placeholder instead of v.store, PostgreSQL may scan a store that its statistics call empty.
func (tx *Tx) Among(storeKey int64, keys ...string) *Keys {
	rows := make([][]any, len(keys))
	for i := range keys {
		rows[i] = []any{&keys[i]}
	}
	return tx.AmongRows(storeKey, oneText, rows...)
}

// AmongRows is Among for keys of several columns with the given SQL types.
func (tx *Tx) AmongRows(storeKey int64, types []string, rows ...[]any) *Keys {
	return &Keys{storeKey, types, rows, tx.db.engine}
}

var oneText = []string{"TEXT"}

// Distinct returns the distinct texts, sorted.
func Distinct(texts []string) []string {
	sorted := slices.Clone(texts)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// Tuples writes rows of placeholders, numbered after before: ($3,$4),($5,$6).
func Tuples(b *strings.Builder, before, rows, width int) {
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

var valueTexts sync.Map // of int to string; bounded by the widths of rows in the code

// Values returns "VALUES ($1,$2)" for one row of the given width.
func Values(width int) string {
	if text, ok := valueTexts.Load(width); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("VALUES ")
	Tuples(&b, 0, 1, width)
	valueTexts.Store(width, b.String())
	return b.String()
}

// Assignments returns SET and WHERE of an UPDATE. The values of keys and then of sets are in places that are
// numbered from 1.
func Assignments(table, place string, keys, sets []Column) (set, where string) {
	var setting []string
	for i, column := range sets {
		value := fmt.Sprintf("%s%d", place, len(keys)+i+1)
		if column.Adds {
			value = table + "." + column.Name + " + " + value
		}
		setting = append(setting, column.Name+" = "+value)
	}
	return " SET " + strings.Join(setting, ", "), Matching(table, place, keys)
}

// Matching returns the WHERE of the rows of a table whose keys have the values in places that are numbered from 1.
func Matching(table, place string, keys []Column) string {
	var matching []string
	for i, key := range keys {
		matching = append(matching, fmt.Sprintf("%s.%s = %s%d", table, key.Name, place, i+1))
	}
	return " WHERE " + strings.Join(matching, " AND ")
}
