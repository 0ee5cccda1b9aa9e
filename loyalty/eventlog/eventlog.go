// Package eventlog serves the stored events to administrators, as lists and as a stream.
package eventlog

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// MaxPerPage is the maximum number of events in one response.
const MaxPerPage = 100

// Endpoints returns the endpoints of the event store, which covers all stores, and of the event
// stream.
func Endpoints(feed *Feed) []api.Endpoint {
	rule := access.AdministratorWith(access.Events, access.View)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/event", Access: rule, Handle: listEvents,
			Summary: "List stored events", Query: listQuery, Response: page{}},
		{Method: "GET", Path: "/api/event/{eventId}", Access: rule, Handle: getEvent,
			Summary: "Show a stored event", Response: view{}},
		{Method: "GET", Path: "/api/event/stream", Access: rule, Handle: feed.stream,
			Summary: "Send events as they happen, as server-sent events",
			Query:   streamQuery, Response: api.Media("text/event-stream")},
		{Method: "GET", Path: "/api/{storeCode}/admin/event", Access: rule, Handle: search,
			Summary: "Search the events of a store, the newest first", Query: searchQuery, Response: found{}},
	}
}

func listQuery(q *form.Group) {
	q.Integer("fromId")
	q.Integer("perPage")
	q.Choice("sort", slices.Sorted(maps.Keys(comparisons)))
	q.Choice("direction", []string{"ASC", "DESC"})
}

func streamQuery(q *form.Group) {
	q.Integer("fromId")
	q.Text("store")
}

type page struct {
	Events []view `json:"events"`
	Total  int64  `json:"total"`
}

// view is an event in responses.
type view struct {
	ID         int64           `json:"id"`
	UUID       string          `json:"uuid"`
	Payload    json.RawMessage `json:"payload"`
	Type       string          `json:"type"`
	RecorderOn string          `json:"recorderOn"`
}

func newView(e *event.Event) view {
	return view{
		ID: e.ID, UUID: e.AggregateID, Payload: e.Payload, Type: e.Type,
		RecorderOn: api.EventTimestamp(e.RecordedAt, time.UTC),
	}
}

func listEvents(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	from, err := fromID(query)
	if err != nil {
		return err
	}
	compare := comparisons[query.Child("sort").Text()]
	descending := descending(query)
	// Sorting by other columns applies to the page that begins at fromId, not to all events.
	events, total, err := event.List(c.Context(), c.DB(), from, perPage(query), descending && compare == nil)
	if err != nil {
		return err
	}
	if compare != nil {
		slices.SortStableFunc(events, func(a, b event.Event) int {
			if descending {
				return compare(&b, &a)
			}
			return compare(&a, &b)
		})
	}
	views := make([]view, len(events))
	for i := range events {
		if views[i], err = viewFor(c.Caller, &events[i]); err != nil {
			return err
		}
	}
	return c.OK(page{views, total})
}

// comparisons are the sort columns besides id. Unknown names mean id.
var comparisons = map[string]func(a, b *event.Event) int{
	"uuid":       func(a, b *event.Event) int { return strings.Compare(a.AggregateID, b.AggregateID) },
	"type":       func(a, b *event.Event) int { return strings.Compare(a.Type, b.Type) },
	"recorderOn": func(a, b *event.Event) int { return a.RecordedAt.Compare(b.RecordedAt) },
}

// fromID returns the first requested id. Numbers out of range are clamped.
func fromID(query *form.Node) (int64, error) {
	text := query.Child("fromId").Text()
	if text == "" {
		return 1, nil
	}
	id, err := strconv.ParseInt(text, 10, 64) // clamped when out of range
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fault.ErrInvalid
	}
	return id, nil
}

func perPage(query *form.Node) int {
	n, err := strconv.Atoi(query.Child("perPage").Text()) // at the bounds when it is out of range
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), n == 0:
		return api.DefaultPerPage
	case n < 0:
		return MaxPerPage
	}
	return min(n, MaxPerPage)
}

// descending reports whether the direction is anything but empty or asc: invalid values mean descending.
func descending(query *form.Node) bool {
	direction := query.Child("direction").Text()
	return direction != "" && !strings.EqualFold(direction, "asc")
}

func getEvent(c *api.Call) error {
	id, err := strconv.ParseInt(c.PathValue("eventId"), 10, 64)
	if err != nil {
		return fault.ErrNotFound
	}
	e, found, err := event.Find(c.Context(), c.DB(), id)
	if err != nil {
		return err
	}
	if !found {
		return fault.ErrNotFound
	}
	shown, err := viewFor(c.Caller, &e)
	if err != nil {
		return err
	}
	return c.OK(shown)
}
