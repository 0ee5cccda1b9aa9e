package eventlog

import (
	"strconv"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// SearchWindow is how many events of all stores a search looks at in one call, because no index holds their types and
// times.
const SearchWindow = 5_000

// found is a page of a search, the newest event first.
type found struct {
	Events []view `json:"events"`
	// Next continues the search as the parameter before; it is missing at the end.
	Next string `json:"next,omitempty"`
	// LookedBackTo is the time of the oldest event of the store that was looked at, which may match or not.
	LookedBackTo *string `json:"lookedBackTo,omitempty"`
}

func describeSearch(q *form.Group) {
	q.Text("type")
	q.Text("about")
	q.Text("from")
	q.Text("to")
	q.Text("before")
	q.Integer("perPage")
}

// search lists the events of a store that match a type, an aggregate and a span of time.
func search(r *api.Reading, filter event.Filter) (found, error) {
	events, looked, err := event.Search(r.Tx, filter)
	if err != nil {
		return found{}, err
	}
	list := found{LookedBackTo: api.OptionalTimestamp(looked.BackTo, r.Store.Zone)}
	if looked.Next > 1 {
		list.Next = strconv.FormatInt(looked.Next, 10)
	}
	list.Events, err = viewsFor(r.Call, events)
	return list, err
}

// readSearch reads a search, which sees only events that have their numbers.
func readSearch(c *api.Call) (event.Filter, error) {
	query, err := c.Query()
	if err != nil {
		return event.Filter{}, err
	}
	filter := event.Filter{
		StoreKey: c.Store.Key, Type: query.Child("type").Text(), About: strings.ToLower(query.Child("about").Text()),
		Limit: perPage(query), Window: SearchWindow,
	}
	if filter.About != "" && !form.IsUUID(filter.About) {
		return filter, fault.ErrInvalid
	}
	if text := query.Child("before").Text(); text != "" {
		if filter.Before, err = strconv.ParseInt(text, 10, 64); err != nil || filter.Before < 1 {
			return filter, fault.ErrInvalid
		}
	}
	for _, bound := range []struct {
		name  string
		to    *time.Time
		parse func(string, *time.Location) (time.Time, bool)
	}{{"from", &filter.From, form.ParseDateTime}, {"to", &filter.To, form.ParseEnd}} {
		text := query.Child(bound.name).Text()
		if text == "" {
			continue
		}
		moment, ok := bound.parse(text, c.Store.Zone)
		if !ok {
			return filter, fault.ErrInvalid
		}
		*bound.to = moment
	}
	_, err = event.Number(c.Context(), c.DB())
	return filter, err
}
