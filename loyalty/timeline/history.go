package timeline

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"

	"punchcard/core/api"
	"punchcard/platform/event"
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

// readNumbered reads the page of a history, which ends at HistoryLimit entries, and numbers the events that wait.
func readNumbered(c *api.Call) (api.Page, error) {
	page, err := c.Page()
	if err != nil {
		return page, err
	}
	if page.Offset+page.Limit > HistoryLimit {
		page.Limit = max(0, HistoryLimit-page.Offset)
	}
	_, err = event.Number(c.Context(), c.DB())
	return page, err
}

// showHistory shows the timeline by page numbers, the newest first.
func (d desk) showHistory(r *api.Reading, page api.Page) (historyView, error) {
	reader, err := readerOf(r)
	if err != nil {
		return historyView{}, err
	}
	seen := seenBy(r.Call, d.all)
	entries, _, err := readPage(reader, seen, nil, HistoryLimit)
	v := historyView{[]pastView{}, len(entries)}
	if err != nil {
		return v, err
	}
	from := min(page.Offset, len(entries))
	for _, e := range entries[from:min(from+page.Limit, len(entries))] {
		data, err := json.Marshal(e.View)
		if err != nil {
			return v, err
		}
		v.History = append(v.History, pastView{
			Date: api.Timestamp(e.At, r.Store.Zone), Type: typeOf(seen[e.source].Kind, data), Data: data,
		})
	}
	return v, nil
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
