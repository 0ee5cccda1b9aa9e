package timeline

import (
	"encoding/json"
	"slices"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/feature"
	"punchcard/platform/db"
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
	sources := slices.DeleteFunc(slices.Clone(all), func(s feature.TimelineSource) bool { return s.HistoryOnly })
	return []api.Endpoint{{
		Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/timeline",
		Access:  access.AdministratorWith(access.Customers, access.View),
		Handle:  func(c *api.Call) error { return showTimeline(c, sources) },
		Summary: "Show what happened to a customer", Query: describeQuery, Response: view{},
	}, {
		Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/history",
		Access:  access.AdministratorWith(access.Customers, access.View),
		Handle:  func(c *api.Call) error { return history(c, all) },
		Summary: "Show what happened to a customer, and who changed what, by page", Response: historyView{},
		Query: func(q *form.Group) {
			q.Integer("page")
			q.Integer("perPage")
		},
	}}
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

// readQuery returns the sources that the request names and the caller may see, all of them if it names none.
func readQuery(c *api.Call, sources []feature.TimelineSource) (
	wanted []feature.TimelineSource, from cursor, err error) {
	query, err := c.Query()
	if err != nil {
		return nil, nil, err
	}
	kinds := strings.FieldsFunc(query.Child("kinds").Text(), func(r rune) bool { return r == ',' || r == ' ' })
	for _, kind := range kinds {
		at := slices.IndexFunc(sources, func(s feature.TimelineSource) bool { return s.Kind == kind })
		if at < 0 {
			return nil, nil, fault.ErrInvalid
		}
		if !c.Caller.Allowed(sources[at].Resource, access.View) {
			return nil, nil, fault.ErrForbidden
		}
	}
	for _, s := range sources {
		if c.Caller.Allowed(s.Resource, access.View) && (len(kinds) == 0 || slices.Contains(kinds, s.Kind)) {
			wanted = append(wanted, s)
		}
	}
	from, err = parseCursor(query.Child("cursor").Text(), sources)
	return wanted, from, err
}

func showTimeline(c *api.Call, sources []feature.TimelineSource) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	wanted, from, err := readQuery(c, sources)
	if err != nil {
		return err
	}
	if _, err := event.Number(c.Context(), c.DB()); err != nil {
		return err
	}
	response := view{Entries: []entryView{}, Kinds: []string{}}
	for _, s := range sources {
		if c.Caller.Allowed(s.Resource, access.View) {
			response.Kinds = append(response.Kinds, s.Kind)
		}
	}
	err = c.Read(func(tx *db.Tx) error {
		named := c.PathValue("customer")
		who, err := customer.FindByPath(tx, c.Store.Key, named, form.IsUUID(named))
		if err != nil {
			return err
		}
		r := &feature.TimelineReader{Tx: tx, Store: c.Store, Caller: c.Caller, CustomerID: who.ID}
		entries, next, err := readPage(r, wanted, from, min(page.Limit, PageLimit))
		if err != nil {
			return err
		}
		for _, e := range entries {
			data, err := json.Marshal(e.View)
			if err != nil {
				return err
			}
			response.Entries = append(response.Entries, entryView{
				Kind: wanted[e.source].Kind, ID: e.ID, At: api.Timestamp(e.At, c.Store.Zone), Data: data,
			})
		}
		response.Next = next.encode()
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
