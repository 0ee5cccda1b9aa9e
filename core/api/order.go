package api

import (
	"maps"
	"slices"

	"punchcard/platform/db"
)

// Order is how a list can be sorted.
type Order struct {
	Columns map[string]Column // by the names of the fields in requests
	// Tie is a unique column that follows the order of creation. It breaks ties, and sorts lists whose request names no
	// field of Columns.
	Tie Column
	// NewestFirst sorts by Tie from the newest to the oldest if the request names no field at all.
	NewestFirst bool
}

// Column is the SQL of a column or of another expression on a row.
type Column string

// With returns an order that has one more field, or another column for one.
func (o Order) With(field string, column Column) Order {
	o.Columns = maps.Clone(o.Columns)
	o.Columns[field] = column
	return o
}

// OrderBy returns the SQL terms of the page's order. Rows without a value come last in ascending order.
func (p Page) OrderBy(o Order) db.Order {
	column, known := o.Columns[p.Sort]
	switch {
	case p.Sort == "" && o.NewestFirst:
		return db.Order(o.Tie + " DESC")
	case (!known || column == o.Tie) && p.Descending:
		return db.Order(o.Tie + " DESC")
	case !known || column == o.Tie:
		return db.Order(o.Tie)
	case p.Descending:
		return db.Order(column + " DESC NULLS FIRST, " + o.Tie)
	default:
		return db.Order(column + " NULLS LAST, " + o.Tie)
	}
}

// AddTo adds the order and the bounds of the page to a statement, and returns it.
func (p Page) AddTo(q *db.SQL, o Order) *db.SQL {
	return q.Add(" ORDER BY ? LIMIT ? OFFSET ?", p.OrderBy(o), p.Limit, p.Offset)
}

// deep is the offset from which a page is read in two steps.
const deep = 100

// Deep reports whether a page is so far from the beginning of its list that its ids are read first, and then
// the rows of these ids: a database reads and sorts the selected columns of the skipped rows, too.
func (p Page) Deep() bool { return p.Offset >= deep }

// InOrder returns the rows in the order of their ids.
func InOrder[T any](rows []T, id func(*T) string, ids []string) []T {
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	slices.SortFunc(rows, func(a, b T) int { return place[id(&a)] - place[id(&b)] })
	return rows
}
