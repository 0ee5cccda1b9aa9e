// Package timeline shows what happened to a customer in one list: purchases, transfers of points, transactions,
// notifications and events.
package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"punchcard/core/feature"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// PageLimit is how many entries a page has at most.
const PageLimit = 100

// entry is an entry with the kind of its source.
type entry struct {
	feature.TimelineEntry
	source int
}

// cursor is the position in each kind. A kind that it lacks begins with its newest entry, and one with an empty key
// is at its end.
type cursor map[string]string

// readPage returns the newest entries of all sources from a cursor on, and the cursor of the next page, which is nil at
// the end.
func readPage(r *feature.TimelineReader, sources []feature.TimelineSource, from cursor, limit int) (
	[]entry, cursor, error) {
	var all []entry
	for i, source := range sources {
		key, begun := from[source.Kind]
		if begun && key == "" {
			continue
		}
		found, err := source.Page(r, key, limit+1)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range found {
			all = append(all, entry{e, i})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.source, b.source))
	})
	if len(all) <= limit {
		return all, nil, nil
	}
	next := cursor{}
	maps.Copy(next, from)
	left := map[int]bool{} // sources with an entry that is not in the page
	for _, e := range all[limit:] {
		left[e.source] = true
	}
	for i, source := range sources {
		if !left[i] {
			next[source.Kind] = "" // all that it returned, fewer than limit + 1, are in this page
		}
	}
	for _, e := range all[:limit] {
		if left[e.source] {
			next[sources[e.source].Kind] = e.Older
		}
	}
	return all[:limit], next, nil
}

// encode returns the cursor as text, such as "purchase:0190….transfer:".
func (c cursor) encode() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, kind+":"+c[kind])
	}
	return strings.Join(parts, ".")
}

// parseCursor reads the cursor of a request. An empty text is the beginning.
func parseCursor(text string, sources []feature.TimelineSource) (cursor, error) {
	c := cursor{}
	if text == "" {
		return c, nil
	}
	for part := range strings.SplitSeq(text, ".") {
		kind, key, _ := strings.Cut(part, ":")
		known := slices.ContainsFunc(sources, func(s feature.TimelineSource) bool { return s.Kind == kind })
		_, err := strconv.ParseInt(key, 10, 64)
		if !known || key != "" && !form.IsUUID(key) && err != nil {
			return nil, fault.ErrInvalid
		}
		c[kind] = key
	}
	return c, nil
}
