package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Tx is what an operation works on: a transaction in Write, single statements in Read. It must not
// be kept or used from another goroutine.
type Tx struct {
	Now time.Time // the one moment of the whole operation, UTC

	db          *DB
	ctx         context.Context
	on          querier
	afterCommit []func()
}

// NewID returns a new UUIDv7: ids made later sort later, so that tables grow at one end.
func (tx *Tx) NewID() string { return NewID() }

// NewID returns a new UUIDv7.
func NewID() string {
	id, err := uuid.NewV7()
	if err != nil {
		panic(fmt.Errorf("no randomness: %w", err)) // the operating system cannot give random bytes
	}
	return id.String()
}

// AfterCommit calls f once the operation is durable, and not at all when it fails.
func (tx *Tx) AfterCommit(f func()) { tx.afterCommit = append(tx.afterCommit, f) }

// Engine names the database: "sqlite" or "postgres". Only what the common SQL cannot say may depend on it.
func (tx *Tx) Engine() string { return tx.db.Engine() }

// NumbersEvents tells whether commits happen one after the other, so that a number taken inside a
// transaction is already in the order in which readers see it.
func (tx *Tx) NumbersEvents() bool { return tx.db.engine.numbersEvents() }

// Exec runs a statement and returns the number of rows it touched.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	result, err := tx.on.exec(tx.ctx, query, args)
	if err != nil {
		return 0, statementError(query, err)
	}
	return result.RowsAffected()
}

// All reads every row into a T whose fields are given in column order by columns.
func All[T any](tx *Tx, columns func(*T) []any, query string, args ...any) ([]T, error) {
	var all []T
	err := Each(tx, columns, func(one T) { all = append(all, one) }, query, args...)
	return all, err
}

// Each hands every row to visit as it is read. visit must not use tx: a connection reads one result
// at a time.
func Each[T any](tx *Tx, columns func(*T) []any, visit func(T), query string, args ...any) error {
	rows, err := tx.on.query(tx.ctx, query, args)
	if err != nil {
		return statementError(query, err)
	}
	defer func() { _ = rows.Close() }() // the error of a half-read result is the one of rows.Err
	for rows.Next() {
		var one T
		if err := rows.Scan(tx.db.engine.destinations(columns(&one))...); err != nil {
			return statementError(query, err)
		}
		visit(one)
	}
	if err := rows.Err(); err != nil {
		return statementError(query, err)
	}
	return nil
}

// One reads the first row; found is false when there is none.
func One[T any](tx *Tx, columns func(*T) []any, query string, args ...any) (one T, found bool, err error) {
	err = Each(tx, columns, func(row T) {
		if !found {
			one, found = row, true
		}
	}, query, args...)
	return one, found, err
}

// Value reads the single value of the first row, the zero value when there is none.
func Value[T any](tx *Tx, query string, args ...any) (T, error) {
	one, _, err := One(tx, func(v *T) []any { return []any{v} }, query, args...)
	return one, err
}

func statementError(query string, err error) error {
	if err == sql.ErrTxDone || err == context.Canceled {
		return err
	}
	return fmt.Errorf("%w (in %s)", err, strings.Join(strings.Fields(query), " "))
}

// Insert writes rows with as few statements as possible. ending is appended to each, for ON CONFLICT;
// columns is the comma-separated list that every row follows.
func (tx *Tx) Insert(table, columns, ending string, rows ...[]any) error {
	for len(rows) > 0 {
		n := chunk(len(rows))
		args := make([]any, 0, n*len(rows[0]))
		for _, row := range rows[:n] {
			args = append(args, row...)
		}
		text := insertText(insertShape{table, columns, ending, n, len(rows[0])})
		if _, err := tx.Exec(text, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// InsertNew writes one row unless a unique key already has it; inserted is false then.
func (tx *Tx) InsertNew(table, columns string, row []any) (inserted bool, err error) {
	n, err := tx.Exec(insertText(insertShape{table, columns, "ON CONFLICT DO NOTHING", 1, len(row)}), row...)
	return n == 1, err
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

type insertShape struct {
	table, columns, ending string
	rows, width            int
}

var insertTexts sync.Map // of insertShape to string; as many as there are Insert calls in the code, times four

func insertText(shape insertShape) string {
	if text, ok := insertTexts.Load(shape); ok {
		return text.(string)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES ", shape.table, shape.columns)
	Tuples(&b, shape.rows, shape.width)
	b.WriteString(" " + shape.ending)
	insertTexts.Store(shape, b.String())
	return b.String()
}

// Tuples writes rows of numbered placeholders: ($1,$2),($3,$4).
func Tuples(b *strings.Builder, rows, width int) {
	for i := range rows * width {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%width == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		b.WriteString("$" + strconv.Itoa(i+1))
	}
	b.WriteByte(')')
}

// Column is a column of Update with the SQL type that both databases cast it to.
type Column struct{ Name, Type string }

// Update changes many rows with as few statements as possible. Each row holds the values of the keys,
// then those of the sets. A row whose keys match nothing is passed over.
func (tx *Tx) Update(table string, keys, sets []Column, rows ...[]any) error {
	for len(rows) > 0 {
		n := chunk(len(rows))
		args := make([]any, 0, n*(len(keys)+len(sets)))
		for _, row := range rows[:n] {
			args = append(args, row...)
		}
		if _, err := tx.Exec(updateText(table, keys, sets, n), args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

type updateShape struct {
	table, firstSet string
	rows, width     int
}

var updateTexts sync.Map // of updateShape to string, as insertTexts

func updateText(table string, keys, sets []Column, rows int) string {
	shape := updateShape{table, sets[0].Name, rows, len(keys) + len(sets)}
	if text, ok := updateTexts.Load(shape); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("UPDATE " + table + " SET ")
	for i, set := range sets {
		fmt.Fprintf(&b, "%s = v.column%d, ", set.Name, len(keys)+i+1)
	}
	text := strings.TrimSuffix(b.String(), ", ") + " FROM (VALUES "
	b.Reset()
	b.WriteString(text)
	columns := append(slices.Clone(keys), sets...)
	for i := range rows * len(columns) {
		column := i % len(columns)
		b.WriteString([]string{",", "(", "),("}[starts(i, column)])
		fmt.Fprintf(&b, "CAST($%d AS %s)", i+1, columns[column].Type)
	}
	b.WriteString(")) AS v WHERE ")
	for i, key := range keys {
		fmt.Fprintf(&b, "%s.%s = v.column%d AND ", table, key.Name, i+1)
	}
	text = strings.TrimSuffix(b.String(), " AND ")
	updateTexts.Store(shape, text)
	return text
}

// starts tells whether value i begins the list (1), another tuple (2) or neither (0).
func starts(i, column int) int {
	switch {
	case i == 0:
		return 1
	case column == 0:
		return 2
	}
	return 0
}

// Among appends distinct values to args and returns a table of them, "(VALUES ($2),($3)) AS v", whose
// column is v.column1. With CROSS JOIN before a table and the key in WHERE, both databases look up value
// by value; for a long IN, PostgreSQL reads the whole index of a table that it has not analyzed yet. The
// list is padded by NULLs, which match nothing, so that lists of any length share few statement texts.
func Among(args []any, values ...string) (string, []any) {
	size := 1
	for size < len(values) {
		size *= 4
	}
	var b strings.Builder
	b.WriteString("(VALUES ")
	for i := range size {
		if i > 0 {
			b.WriteByte(',')
		}
		if i < len(values) {
			args = append(args, values[i])
		} else {
			args = append(args, nil)
		}
		b.WriteString("(CAST($" + strconv.Itoa(len(args)) + " AS TEXT))")
	}
	b.WriteString(") AS v")
	return b.String(), args
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
