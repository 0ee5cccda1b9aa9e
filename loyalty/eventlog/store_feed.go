package eventlog

import (
	"cmp"
	"strconv"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// storeEndpoints returns the feed of one store, which a key of that store may read.
func (f *Feed) storeEndpoints(rule access.Rule) []api.Endpoint {
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/event", Access: rule,
			Do:      api.Respond(api.InCall(describeFeed, readFeed), f.next),
			Summary: "Read the events of a store in order, and wait for more"},
		{Method: "GET", Path: "/api/{storeCode}/event/stream", Access: rule, Handle: f.stream,
			Summary: "Send the events of a store as they happen, as server-sent events",
			Query:   func(q *form.Group) { q.Integer("fromId") }, Response: api.Media("text/event-stream")},
	}
}

// nextEvents is a page of the feed of a store.
type nextEvents struct {
	Events []view `json:"events"`
	// Cursor goes into the next call as after. Without events it stays as it was sent.
	Cursor string `json:"cursor"`
	// More reports that further events were committed already.
	More bool `json:"more"`
}

// position is where a reader of a feed stands.
type position struct {
	after int64 // id of the last event that was read
	limit int
	wait  time.Duration
}

func describeFeed(q *form.Group) {
	q.Integer("after")
	q.Integer("perPage")
}

func readFeed(c *api.Call) (p position, err error) {
	query, err := c.Query()
	if err != nil {
		return p, err
	}
	if p.after, err = strconv.ParseInt(cmp.Or(query.Child("after").Text(), "0"), 10, 64); err != nil || p.after < 0 {
		return p, fault.ErrInvalid
	}
	seconds, _ := strconv.Atoi(c.Preference("wait")) // what is no number means not to wait
	p.limit, p.wait = perPage(query), time.Duration(min(seconds, api.WaitLimit))*time.Second
	return p, nil
}

// next returns the events after a position. If there are none, it waits for the first one as long as the client
// prefers, unless as many calls wait as there may be streams.
func (f *Feed) next(c *api.Call, p position) (nextEvents, error) {
	events, more, err := f.read(c, p)
	if err == nil && len(events) == 0 && p.wait > 0 && f.enter() {
		defer f.leave()
		events, more, err = f.await(c, p)
	}
	if err != nil {
		return nextEvents{}, err
	}
	found := nextEvents{Cursor: strconv.FormatInt(p.after, 10), More: more}
	if len(events) > 0 {
		found.Cursor = strconv.FormatInt(events[len(events)-1].ID, 10)
	}
	found.Events, err = viewsFor(c, events)
	return found, err
}

func (f *Feed) read(c *api.Call, p position) ([]event.Event, bool, error) {
	if _, err := event.Number(c.Context(), f.db); err != nil {
		return nil, false, err
	}
	return event.OfStore(c.Context(), f.db, c.Store.Key, p.after, p.limit)
}

// await reads again after each commit, but no more often than a stream, until there are events or the time is over.
func (f *Feed) await(c *api.Call, p position) (events []event.Event, more bool, err error) {
	end := time.NewTimer(p.wait)
	defer end.Stop()
	for {
		commit := f.nextCommit() // before reading, so that no commit is missed
		if err := c.Recheck(); err != nil {
			return nil, false, err
		}
		if events, more, err = f.read(c, p); err != nil || len(events) > 0 {
			return events, more, err
		}
		look := time.NewTimer(f.pace.Look)
		rest := time.NewTimer(f.pace.Rest)
		for rested, looked := false, false; !rested || !looked; {
			select {
			case <-c.Context().Done():
				return nil, false, c.Context().Err()
			case <-f.done:
				return nil, false, nil
			case <-end.C:
				return nil, false, nil
			case <-commit:
				looked, commit = true, nil
			case <-look.C:
				looked = true
			case <-rest.C:
				rested = true
			}
		}
	}
}
