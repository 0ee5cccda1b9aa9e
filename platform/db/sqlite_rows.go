package db

import (
	"strings"
	"sync"
)

func (e *sqliteEngine) rows(rows [][]any) (source string, args []any, n int) {
	return chunkOfValues(rows)
}

func (e *sqliteEngine) atOnce(rows int) int { return chunk(rows) }

// table pads the rows by NULLs, which match nothing, so that tables of any length share few texts.
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

// tableShape is a table whose values follow others of the statement.
type tableShape struct{ before, rows, width int }

var tableTexts sync.Map // of tableShape to string; few, as the texts in the code are

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
