package api

import (
	"maps"

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
