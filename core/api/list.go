package api

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// DefaultPerPage is the default number of rows of a page.
const DefaultPerPage = 10

// errResultWindow is the error of a page that ends past the result window.
var errResultWindow = fault.New(fault.Invalid, "result_window_too_large", "Result window is too large").
	WithSetting("--result-window")

// Page is the requested part of a list: docs/behaviour/requests.md#lists.
type Page struct {
	Offset     int    // position of the first row, from 0
	Limit      int    // rows at most
	Sort       string // name to sort by; empty for the order of creation
	Descending bool
}

// ListRequest is the query of a list.
type ListRequest struct {
	Page
	Query  *form.Node // with the filters of the list
	Locale Locale     // of translated texts
}

// ListRequest reads the query of a list.
func (c *Call) ListRequest() (list ListRequest, err error) {
	if list.Page, err = c.Page(); err != nil {
		return list, err
	}
	if list.Locale, err = c.Locale(); err != nil {
		return list, err
	}
	list.Query, err = c.Filters()
	return list, err
}

// Filters returns the query of a list. Values that were encoded twice are decoded: docs/behaviour/requests.md#lists.
func (c *Call) Filters() (*form.Node, error) {
	if !strings.Contains(c.URL.RawQuery, "%25") {
		return c.Query()
	}
	return form.ParseFilters(c.URL.RawQuery)
}

// Choice reads a filter with fixed values, or an empty one.
func (l *ListRequest) Choice(name string, choices []string) (string, error) {
	chosen := l.Query.Child(name).Text()
	if chosen != "" && !slices.Contains(choices, chosen) {
		return "", fault.ErrInvalid
	}
	return chosen, nil
}

// Choices are the values of a filter, and where the chosen one goes.
type Choices struct {
	Name   string
	Values []string
	To     *string
}

// Choose reads filters with fixed values.
func (l *ListRequest) Choose(filters ...Choices) (err error) {
	for _, f := range filters {
		if *f.To, err = l.Choice(f.Name, f.Values); err != nil {
			return err
		}
	}
	return nil
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

// ResultWindow returns the last position of a list that can be reached.
func (c *Call) ResultWindow() int { return c.server.ResultWindow }

func sortOf(query *form.Node) string { return query.Child("sort").Text() }

// descending is true for every word but asc.
func descending(query *form.Node) bool {
	direction := query.Child("direction").Text()
	return direction != "" && !strings.EqualFold(direction, "asc")
}

// wholeNumber reads a number of the query. A text that is not a number means the fallback; numbers that are too large
// for an int mean MaxInt32, or -1 if they are negative.
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

// Of returns the page of a whole list.
func (p Page) Of(all []string) []string {
	from := min(p.Offset, len(all))
	return all[from:min(from+p.Limit, len(all))]
}
