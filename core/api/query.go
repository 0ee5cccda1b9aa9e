package api

import (
	"maps"
	"slices"

	"punchcard/platform/form"
)

// LocaleQuery describes what Call.Locale reads.
func LocaleQuery(q *form.Group) { q.Text("_locale") }

// PageQuery describes what Call.Page reads for a list with these sortable columns, and the filters of the list.
func PageQuery[C any](columns map[string]C, filters ...func(q *form.Group)) func(q *form.Group) {
	return func(q *form.Group) {
		for _, filter := range filters {
			filter(q)
		}
		q.Integer("page")
		q.Integer("perPage")
		if len(columns) > 0 {
			q.Choice("sort", slices.Sorted(maps.Keys(columns)))
		}
		q.Choice("direction", []string{"ASC", "DESC"})
	}
}

// ListQuery describes what Call.ListRequest reads, like PageQuery.
func ListQuery[C any](columns map[string]C, filters ...func(q *form.Group)) func(q *form.Group) {
	return PageQuery(columns, append(filters, LocaleQuery)...)
}

// Filters documents the query parameters that read uses.
func Filters[T any](read func(query *form.Node) T) func(q *form.Group) {
	return func(q *form.Group) { q.DescribeTexts(func(query *form.Node) { read(query) }) }
}

// Reads documents the fields of a form that read uses.
func Reads[T any](read func(g *form.Group) T) func(g *form.Group) {
	return func(g *form.Group) { read(g) }
}
