package eventlog

import (
	"strconv"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
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

func searchQuery(q *form.Group) {
	q.Text("type")
	q.Text("about")
	q.Text("from")
	q.Text("to")
	q.Text("before")
	q.Integer("perPage")
}

// search lists the events of a store that match a type, an aggregate and a span of time.
func search(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	request, err := readSearch(c, query)
	if err != nil {
		return err
	}
	if _, err := event.Number(c.Context(), c.DB()); err != nil {
		return err
	}
	var events []event.Event
	var looked event.Looked
	err = c.Read(func(tx *db.Tx) error {
		events, looked, err = event.Search(tx, request)
		return err
	})
	if err != nil {
		return err
	}
	response := found{Events: make([]view, len(events)), LookedBackTo: api.OptionalTimestamp(looked.BackTo, c.Store.Zone)}
	for i := range events {
		if response.Events[i], err = viewFor(c.Caller, &events[i]); err != nil {
			return err
		}
	}
	if looked.Next > 1 {
		response.Next = strconv.FormatInt(looked.Next, 10)
	}
	return c.OK(response)
}

func readSearch(c *api.Call, query *form.Node) (event.Filter, error) {
	filter := event.Filter{
		StoreKey: c.Store.Key, Type: query.Child("type").Text(), About: strings.ToLower(query.Child("about").Text()),
		Limit: perPage(query), Window: SearchWindow,
	}
	if filter.About != "" && !form.IsUUID(filter.About) {
		return filter, fault.ErrInvalid
	}
	if text := query.Child("before").Text(); text != "" {
		var err error
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
	return filter, nil
}
