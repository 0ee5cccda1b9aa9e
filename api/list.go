package api

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// DefaultPerPage is the page size when none is asked for.
const DefaultPerPage = 10

// errResultWindow refuses a page that ends past the result window.
var errResultWindow = fault.New(fault.Invalid, "result_window_too_large", "Result window is too large").
	WithSetting("--result-window")

// Page is the requested part of a list: docs/behaviour/requests.md#lists.
type Page struct {
	Offset     int    // position of the first row, from 0
	Limit      int    // rows at most
	Sort       string // column asked for, empty for the order of creation
	Descending bool
}

// ListRequest is what a list was asked for.
type ListRequest struct {
	Page
	Query  *form.Node // the list's own filters
	Locale Locale     // of its translated texts
}

// ListRequest reads the query of a list.
func (c *Call) ListRequest() (asked ListRequest, err error) {
	if asked.Page, err = c.Page(); err != nil {
		return asked, err
	}
	if asked.Locale, err = c.Locale(); err != nil {
		return asked, err
	}
	asked.Query, err = c.Query()
	return asked, err
}

// Choice reads a filter that is one of the choices, or empty when it does not matter.
func (a *ListRequest) Choice(name string, choices []string) (string, error) {
	chosen := a.Query.Child(name).Text()
	if chosen != "" && !slices.Contains(choices, chosen) {
		return "", fault.ErrInvalid
	}
	return chosen, nil
}

// Page reads page, perPage, sort and direction. A page that ends past the result window is refused;
// a negative perPage means all rows up to the window.
func (c *Call) Page() (Page, error) {
	query, err := c.Query()
	if err != nil {
		return Page{}, err
	}
	window := c.server.ResultWindow
	number, perPage := wholeNumber(query, "page", 1), wholeNumber(query, "perPage", DefaultPerPage)
	if number < 1 {
		number = 1
	}
	if perPage < 0 {
		return Page{Limit: window, Sort: sortOf(query), Descending: descending(query)}, nil
	}
	if perPage == 0 {
		perPage = DefaultPerPage
	}
	if number > window || perPage > window || number*perPage > window {
		return Page{}, errResultWindow
	}
	return Page{
		Offset: (number - 1) * perPage, Limit: perPage, Sort: sortOf(query), Descending: descending(query),
	}, nil
}

func sortOf(query *form.Node) string { return query.Child("sort").Text() }

// descending is true for any direction but asc: that is how the contract reads garbage.
func descending(query *form.Node) bool {
	direction := query.Child("direction").Text()
	return direction != "" && !strings.EqualFold(direction, "asc")
}

// wholeNumber reads a number of the query; text that is none means the fallback, and one too large
// for the machine the largest there is.
func wholeNumber(query *form.Node, name string, fallback int) int {
	text := query.Child(name).Text()
	n, err := strconv.Atoi(text)
	switch {
	case err == nil:
		return n
	case strings.HasPrefix(text, "-") && isRange(err):
		return -1
	case isRange(err):
		return math.MaxInt32
	}
	return fallback
}

func isRange(err error) bool {
	numeric, ok := err.(*strconv.NumError)
	return ok && numeric.Err == strconv.ErrRange
}

// Of cuts the page out of a whole list.
func (p Page) Of(all []string) []string {
	from := min(p.Offset, len(all))
	return all[from:min(from+p.Limit, len(all))]
}

// OrderBy is the SQL order of the page: the column that the list knows under the asked name, nulls
// last when ascending, ties in the order of creation.
func (p Page) OrderBy(columns map[string]string, creation string) string {
	column, known := columns[p.Sort]
	switch {
	case !known || column == creation:
		if p.Descending {
			return creation + " DESC"
		}
		return creation
	case p.Descending:
		return column + " DESC NULLS FIRST, " + creation
	default:
		return column + " NULLS LAST, " + creation
	}
}
