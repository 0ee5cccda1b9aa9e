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

// Name returns the name of the database.
func (flavour) Name() string { return "sqlite" }

// Insert runs one short statement for each row. A statement with many rows would copy them once more.
func (flavour) Insert(into, ending string, _ []db.Column, rows [][]any) []db.Statement {
	return db.EachRow(into+db.Values(len(rows[0]))+" "+ending, rows)
}

// Update runs one short statement for each row.
func (flavour) Update(table string, keys, sets []db.Column, rows [][]any) []db.Statement {
	set, where := db.Assignments(table, "$", keys, sets)
	return db.EachRow("UPDATE "+table+set+where, rows)
}

// Delete runs one short statement for each row.
func (flavour) Delete(table string, keys []db.Column, rows [][]any) []db.Statement {
	return db.EachRow("DELETE FROM "+table+db.Matching(table, "$", keys), rows)
}

// DeleteRows finds the rows again by their primary key.
func (flavour) DeleteRows(table, key, from string) string {
	return "DELETE FROM " + table + " WHERE (" + key + ") IN (SELECT " + key + " " + from + ")"
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

// Among pads the rows with NULLs, which match nothing, so that tables of any length share few texts.
func (flavour) Among(name string, columns []string, keys *db.Keys) db.Statement {
	size := 1
	for size < len(keys.Rows) {
		size *= 4
	}
	width := len(keys.Types)
	args := make([]any, 1, 1+size*width)
	args[0] = keys.StoreKey
	for _, row := range keys.Rows {
		args = append(args, row...)
	}
	var b strings.Builder
	b.WriteString("(SELECT $1 AS " + columns[0])
	for i, column := range columns[1:] {
		b.WriteString(", k.column" + strconv.Itoa(i+1) + " AS " + column)
	}
	b.WriteString(" FROM ")
	b.WriteString(valuesText(tableShape{size, width}))
	b.WriteString(" AS k) AS " + name)
	return db.Statement{Text: b.String(), Args: args[:cap(args)]}
}

// tableShape identifies the text of a table.
type tableShape struct{ rows, columns int }

var valuesTexts sync.Map // of tableShape to string; bounded by the tables in the code

func valuesText(shape tableShape) string {
	if text, ok := valuesTexts.Load(shape); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("(VALUES ")
	db.Tuples(&b, 1, shape.rows, shape.columns)
	b.WriteString(")")
	valuesTexts.Store(shape, b.String())
	return b.String()
}
