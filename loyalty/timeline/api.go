package timeline

import (
	"encoding/json"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Feature returns the timeline and the history of a customer. See docs/behaviour/timeline.md.
func Feature(all []feature.TimelineSource) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Customers"},
		Endpoints: endpoints(all),
		Limits: []feature.Limit{
			{Name: "timelineEntries", Value: PageLimit, Unit: "entries"},
			{Name: "historyEntries", Value: HistoryLimit, Unit: "entries"},
		},
	}
}

func endpoints(all []feature.TimelineSource) []api.Endpoint {
	d := desk{
		all:   all,
		paged: slices.DeleteFunc(slices.Clone(all), func(s feature.TimelineSource) bool { return s.HistoryOnly }),
	}
	viewer := access.AdministratorWith(access.Customers, access.View)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/timeline", Access: viewer,
			Do: api.Read(api.InCall(describeQuery, d.readQuery), d.showTimeline), Summary: "Show what happened to a customer"},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/history", Access: viewer,
			Do:      api.Read(api.InCall(describePage, readNumbered), d.showHistory),
			Summary: "Show what happened to a customer, and who changed what, by page"},
	}
}

// desk shows what the sources know.
type desk struct {
	all   []feature.TimelineSource // of the history
	paged []feature.TimelineSource // of the timeline
}

func describePage(q *form.Group) {
	q.Integer("page")
	q.Integer("perPage")
}

func describeQuery(q *form.Group) {
	q.Text("kinds")
	q.Text("cursor")
	q.Integer("perPage")
}

type view struct {
	Entries []entryView `json:"entries"`
	Kinds   []string    `json:"kinds"`          // that the caller may see
	Next    string      `json:"next,omitempty"` // cursor of the next page
}

type entryView struct {
	Kind string          `json:"kind"`
	ID   string          `json:"id"`
	At   string          `json:"at"`
	Data json.RawMessage `json:"data"` // as in the lists of the kind
}

// timelineQuery asks for a page of the timeline.
type timelineQuery struct {
	wanted []feature.TimelineSource
	from   cursor
	limit  int
}

// readQuery reads the sources that the request names and the caller may see, all of them if it names none.
func (d desk) readQuery(c *api.Call) (in timelineQuery, err error) {
	page, err := c.Page()
	if err != nil {
		return in, err
	}
	query, err := c.Query()
	if err != nil {
		return in, err
	}
	kinds := strings.FieldsFunc(query.Child("kinds").Text(), func(r rune) bool { return r == ',' || r == ' ' })
	for _, kind := range kinds {
		at := slices.IndexFunc(d.paged, func(s feature.TimelineSource) bool { return s.Kind == kind })
		if at < 0 {
			return in, fault.ErrInvalid
		}
		if !c.Caller.Allowed(d.paged[at].Resource, access.View) {
			return in, access.LacksPermission(d.paged[at].Resource, access.View)
		}
	}
	for _, s := range seenBy(c, d.paged) {
		if len(kinds) == 0 || slices.Contains(kinds, s.Kind) {
			in.wanted = append(in.wanted, s)
		}
	}
	in.limit = min(page.Limit, PageLimit)
	if in.from, err = parseCursor(query.Child("cursor").Text(), d.paged); err != nil {
		return in, err
	}
	_, err = event.Number(c.Context(), c.DB())
	return in, err
}

// seenBy returns the sources that the caller may see.
func seenBy(c *api.Call, sources []feature.TimelineSource) (seen []feature.TimelineSource) {
	for _, s := range sources {
		if c.Caller.Allowed(s.Resource, access.View) {
			seen = append(seen, s)
		}
	}
	return seen
}

// readerOf returns a reader of what happened to the customer of the path.
func readerOf(r *api.Reading) (*feature.TimelineReader, error) {
	named := r.PathValue("customer")
	who, err := customer.FindByPath(r.Tx, r.Store.Key, named, form.IsUUID(named))
	if err != nil {
		return nil, err
	}
	return &feature.TimelineReader{Tx: r.Tx, Store: r.Store, Caller: r.Caller, CustomerID: who.ID}, nil
}

func (d desk) showTimeline(r *api.Reading, in timelineQuery) (view, error) {
	v := view{Entries: []entryView{}, Kinds: []string{}}
	for _, s := range seenBy(r.Call, d.paged) {
		v.Kinds = append(v.Kinds, s.Kind)
	}
	reader, err := readerOf(r)
	if err != nil {
		return v, err
	}
	entries, next, err := readPage(reader, in.wanted, in.from, in.limit)
	if err != nil {
		return v, err
	}
	for _, e := range entries {
		data, err := json.Marshal(e.View)
		if err != nil {
			return v, err
		}
		v.Entries = append(v.Entries, entryView{
			Kind: in.wanted[e.source].Kind, ID: e.ID, At: api.Timestamp(e.At, r.Store.Zone), Data: data,
		})
	}
	v.Next = next.encode()
	return v, nil
}
