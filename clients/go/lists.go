package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
)

// perPage is how many rows and events are read at once.
const perPage = 100

// Pages reads a list row by row. rows is the member of its pages that has them, such as customers.
func Pages[Row any](ctx context.Context, c *Client, path, rows string, params Params) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for page := 1; ; page++ {
			asked := Params{"perPage": perPage}
			for name, value := range params {
				asked[name] = value
			}
			asked["page"] = page
			var members map[string]json.RawMessage
			var found []Row
			err := c.Get(ctx, path, asked, &members)
			if err == nil {
				err = json.Unmarshal(members[rows], &found)
			}
			if err != nil {
				yield(*new(Row), err)
				return
			}
			for _, row := range found {
				if !yield(row, nil) {
					return
				}
			}
			if size, _ := strconv.Atoi(fmt.Sprint(asked["perPage"])); len(found) < size {
				return
			}
		}
	}
}

// Event is a stored event.
type Event struct {
	ID         int64           `json:"id"`
	UUID       string          `json:"uuid"`
	Type       string          `json:"type"`
	RecorderOn string          `json:"recorderOn"`
	Payload    json.RawMessage `json:"payload"`
}

// Events reads the events of the store after an id, in order, and waits for more until the context ends.
func (c *Client) Events(ctx context.Context, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			var page struct {
				Events []Event `json:"events"`
			}
			err := c.Do(ctx, http.MethodGet, "/api/{store}/event", Call{
				Params: Params{"after": after, "perPage": perPage}, Into: &page,
				Header: http.Header{"Prefer": {"wait=20"}},
			})
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, event := range page.Events {
				after = event.ID
				if !yield(event, nil) {
					return
				}
			}
		}
	}
}
