package timeline

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/feature"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/form"
)

// HistoryLimit is how many entries the history of a customer has at most, and where its total stops counting.
const HistoryLimit = 500

type historyView struct {
	History []pastView `json:"history"`
	Total   int        `json:"total"`
}

// pastView is something that happened. Its type names the kind and what happened, such as transfer_adding.
type pastView struct {
	Date string          `json:"date"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// history serves the timeline by page numbers, the newest first.
func history(c *api.Call, sources []feature.TimelineSource) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	if page.Offset+page.Limit > HistoryLimit {
		page.Limit = max(0, HistoryLimit-page.Offset)
	}
	var seen []feature.TimelineSource
	for _, s := range sources {
		if c.Caller.Allowed(s.Resource, access.View) {
			seen = append(seen, s)
		}
	}
	if _, err := event.Number(c.Context(), c.DB()); err != nil {
		return err
	}
	response := historyView{History: []pastView{}}
	err = c.Read(func(tx *db.Tx) error {
		named := c.PathValue("customer")
		who, err := customer.FindByPath(tx, c.Store.Key, named, form.IsUUID(named))
		if err != nil {
			return err
		}
		r := &feature.TimelineReader{Tx: tx, Store: c.Store, Caller: c.Caller, CustomerID: who.ID}
		entries, _, err := readPage(r, seen, nil, HistoryLimit)
		if err != nil {
			return err
		}
		response.Total = len(entries)
		from := min(page.Offset, len(entries))
		for _, e := range entries[from:min(from+page.Limit, len(entries))] {
			data, err := json.Marshal(e.View)
			if err != nil {
				return err
			}
			response.History = append(response.History, pastView{
				Date: api.Timestamp(e.At, c.Store.Zone), Type: typeOf(seen[e.source].Kind, data), Data: data,
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// typeOf returns the type of an entry in small letters, such as transfer_adding or event_customer_was_activated.
func typeOf(kind string, data []byte) string {
	var named struct {
		Type      string `json:"type"`
		EventType string `json:"eventType"`
	}
	if err := json.Unmarshal(data, &named); err != nil {
		return kind
	}
	name := cmp.Or(named.EventType, named.Type)
	name = name[strings.LastIndex(name, ".")+1:]
	if name == "" {
		return kind
	}
	text := []rune(kind)
	for i, r := range name {
		if unicode.IsUpper(r) || i == 0 {
			text = append(text, '_')
		}
		text = append(text, unicode.ToLower(r))
	}
	return string(text)
}
