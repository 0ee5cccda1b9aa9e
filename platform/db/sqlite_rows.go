package db

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// insert runs one short statement for each row. A statement with many rows would copy them once more.
func (e *sqliteEngine) insert(tx *Tx, into, ending string, rows [][]any) error {
	return tx.each(into+values(len(rows[0]))+" "+ending, rows)
}

func (e *sqliteEngine) update(tx *Tx, table string, keys, sets []Column, rows [][]any) error {
	set, where := assignments(table, "$", keys, sets)
	return tx.each("UPDATE "+table+set+where, rows)
}

// perKey runs the query for each key: there is no round trip to save.
func (e *sqliteEngine) perKey(query string, args []any, keys []string) []statement {
	query = strings.ReplaceAll(query, "$key", "$"+strconv.Itoa(len(args)+1))
	all := make([]statement, len(keys))
	for i, key := range keys {
		all[i] = statement{query, append(slices.Clone(args), key)}
	}
	return all
}

// table pads the rows with NULLs, which match nothing, so that tables of any length share few texts.
func (e *sqliteEngine) table(args []any, types []string, rows [][]any) (string, []any) {
	size := 1
	for size < len(rows) {
		size *= 4
	}
	text := tableText(tableShape{len(args), size, len(types)})
	for i := range size {
		if i < len(rows) {
			args = append(args, rows[i]...)
		} else {
			args = append(args, make([]any, len(types))...)
		}
	}
	return text, args
}

func (e *sqliteEngine) ofStore(table string) string {
	return "(SELECT v.column1, $1 AS store FROM " + table + ") AS v"
}

// tableShape identifies the text of a table: the number of arguments before it, its rows and its columns.
type tableShape struct{ before, rows, width int }

var tableTexts sync.Map // of tableShape to string; bounded by the texts in the code

func tableText(shape tableShape) string {
	if text, ok := tableTexts.Load(shape); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("(VALUES ")
	tuples(&b, shape.before, shape.rows, shape.width)
	b.WriteString(") AS v")
	tableTexts.Store(shape, b.String())
	return b.String()
}
