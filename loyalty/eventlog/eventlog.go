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
	return append(feed.storeEndpoints(rule), []api.Endpoint{
		{Method: "GET", Path: "/api/event", Access: rule, Do: api.Respond(api.InCall(describeList, readQuery), listEvents),
			Summary: "List stored events"},
		{Method: "GET", Path: "/api/event/{eventId}", Access: rule, Do: api.Tell(showEvent), Summary: "Show a stored event"},
		{Method: "GET", Path: "/api/event/stream", Access: rule, Handle: feed.stream,
			Summary: "Send events as they happen, as server-sent events",
			Query:   streamQuery, Response: api.Media("text/event-stream")},
		{Method: "GET", Path: "/api/{storeCode}/admin/event", Access: rule,
			Do:      api.Read(api.InCall(describeSearch, readSearch), search),
			Summary: "Search the events of a store, the newest first"},
	}...)
}

func describeList(q *form.Group) {
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

// query asks for a page of events.
type query struct {
	from       int64
	limit      int
	compare    func(a, b *event.Event) int // nil for the order of ids
	descending bool
}

func readQuery(c *api.Call) (q query, err error) {
	sent, err := c.Query()
	if err != nil {
		return q, err
	}
	q.from, err = fromID(sent)
	q.limit, q.descending = perPage(sent), descending(sent)
	q.compare = comparisons[sent.Child("sort").Text()]
	return q, err
}

// listEvents sorts by other columns than ids only the page that begins at the first id, not all events.
func listEvents(c *api.Call, q query) (page, error) {
	events, total, err := event.List(c.Context(), c.DB(), q.from, q.limit, q.descending && q.compare == nil)
	if err != nil {
		return page{}, err
	}
	if q.compare != nil {
		slices.SortStableFunc(events, func(a, b event.Event) int {
			if q.descending {
				return q.compare(&b, &a)
			}
			return q.compare(&a, &b)
		})
	}
	views, err := viewsFor(c, events)
	return page{views, total}, err
}

func viewsFor(c *api.Call, events []event.Event) (views []view, err error) {
	views = make([]view, len(events))
	for i := range events {
		if views[i], err = viewFor(c.Caller, &events[i]); err != nil {
			return nil, err
		}
	}
	return views, nil
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

func showEvent(c *api.Call) (view, error) {
	id, err := strconv.ParseInt(c.PathValue("eventId"), 10, 64)
	if err != nil {
		return view{}, fault.ErrNotFound
	}
	e, found, err := event.Find(c.Context(), c.DB(), id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return view{}, err
	}
	return viewFor(c.Caller, &e)
}
