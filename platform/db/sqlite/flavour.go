package sqlite

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"punchcard/platform/db"
)

// flavour writes SQLite's SQL.
type flavour struct{}

// Name implements db.Flavour.
func (flavour) Name() string { return "sqlite" }

// Insert runs one short statement for each row. A statement with many rows would copy them once more.
func (flavour) Insert(into, ending string, rows [][]any) []db.Statement {
	return db.EachRow(into+db.Values(len(rows[0]))+" "+ending, rows)
}

// Update runs one short statement for each row.
func (flavour) Update(table string, keys, sets []db.Column, rows [][]any) []db.Statement {
	set, where := db.Assignments(table, "$", keys, sets)
	return db.EachRow("UPDATE "+table+set+where, rows)
}

// PerKey runs the query for each key: there is no round trip to save.
func (flavour) PerKey(query string, args []any, keys []string) []db.Statement {
	query = strings.ReplaceAll(query, "$key", "$"+strconv.Itoa(len(args)+1))
	all := make([]db.Statement, len(keys))
	for i, key := range keys {
		all[i] = db.Statement{Text: query, Args: append(slices.Clone(args), key)}
	}
	return all
}

// Table pads the rows with NULLs, which match nothing, so that tables of any length share few texts.
func (flavour) Table(args []any, types []string, rows [][]any) (string, []any) {
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

// OfStore implements db.Flavour.
func (flavour) OfStore(table string) string {
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
	db.Tuples(&b, shape.before, shape.rows, shape.width)
	b.WriteString(") AS v")
	tableTexts.Store(shape, b.String())
	return b.String()
}
