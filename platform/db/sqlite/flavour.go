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
func (flavour) Insert(into, ending string, rows [][]any) []db.Statement {
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
func (flavour) Among(storeKey int64, types []string, rows [][]any) db.Statement {
	size := 1
	for size < len(rows) {
		size *= 4
	}
	args := make([]any, 1, 1+size*len(types))
	args[0] = storeKey
	for _, row := range rows {
		args = append(args, row...)
	}
	return db.Statement{Text: tableText(tableShape{size, len(types)}), Args: args[:cap(args)]}
}

// tableShape identifies the text of a table.
type tableShape struct{ rows, columns int }

var tableTexts sync.Map // of tableShape to string; bounded by the tables in the code

func tableText(shape tableShape) string {
	if text, ok := tableTexts.Load(shape); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("(SELECT ")
	for column := range shape.columns {
		b.WriteString("v.column" + strconv.Itoa(column+1) + ", ")
	}
	b.WriteString("$1 AS store FROM (VALUES ")
	db.Tuples(&b, 1, shape.rows, shape.columns)
	b.WriteString(") AS v) AS v")
	tableTexts.Store(shape, b.String())
	return b.String()
}
