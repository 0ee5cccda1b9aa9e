package api

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/form"
)

// AttemptState is the JSON of the attempts of a delivery, embedded in views.
type AttemptState struct {
	State         string  `json:"state"`
	Attempts      int     `json:"attempts"`
	CreatedAt     string  `json:"createdAt"`
	LastAttemptAt *string `json:"lastAttemptAt,omitempty"`
	LastStatus    int     `json:"lastStatus,omitempty"`
	LastError     string  `json:"lastError,omitempty"`
	NextAttemptAt *string `json:"nextAttemptAt,omitempty"`
}

// AttemptStateOf returns the view of t with times in a zone.
func AttemptStateOf(t *delivery.Progress, zone *time.Location) AttemptState {
	return AttemptState{
		State: t.State, Attempts: t.Attempts, CreatedAt: Timestamp(t.CreatedAt, zone),
		LastAttemptAt: OptionalTimestamp(t.AttemptedAt, zone), LastStatus: t.Status, LastError: t.Error,
		NextAttemptAt: OptionalTimestamp(t.DueAt, zone),
	}
}

// DeliveryQuery describes what Deliveries reads.
func DeliveryQuery[D any](of *delivery.Table[D]) func(q *form.Group) {
	return PageQuery(map[string]string(nil), func(q *form.Group) { q.Choice("state", of.States) })
}

// Deliveries returns the views of a page of deliveries, the newest first, with their total, which
// stops at delivery.CountLimit. The query may filter by state. receiver returns whose deliveries are
// listed; those of the store if it is nil.
func Deliveries[D, V any](c *Call, of *delivery.Table[D], receiver func(tx *db.Tx) (delivery.Receiver, error),
	view func(*D) V) (views []V, total int, err error) {
	request, err := c.ListRequest()
	if err != nil {
		return nil, 0, err
	}
	state, err := request.Choice("state", of.States)
	if err != nil {
		return nil, 0, err
	}
	err = c.Read(func(tx *db.Tx) error {
		views = []V{}
		to := delivery.Receiver{StoreKey: c.Store.Key}
		if receiver != nil {
			if to, err = receiver(tx); err != nil {
				return err
			}
		}
		var found []D
		found, total, err = of.List(tx, to, state, request.Limit, request.Offset)
		for i := range found {
			views = append(views, view(&found[i]))
		}
		return err
	})
	return views, total, err
}
