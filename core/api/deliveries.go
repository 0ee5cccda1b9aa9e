package api

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/form"
)

// AttemptState is the JSON of the attempts of a delivery, embedded in views.
type AttemptState struct {
	State         string  `json:"state" enum:"waiting,pending,sent,delivered,dead,failed,settled"`
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

// DeliveryPage asks for a page of deliveries, those in one state if it has one.
type DeliveryPage struct {
	Page
	State string
}

// DeliveryQuery describes what Call.DeliveryPage reads.
func DeliveryQuery(states []string) func(q *form.Group) {
	return PageQuery(map[string]string(nil), func(q *form.Group) { q.Choice("state", states) })
}

// DeliveryPage reads the query of a list of deliveries with these states.
func (c *Call) DeliveryPage(states []string) (page DeliveryPage, err error) {
	request, err := c.ListRequest()
	if err != nil {
		return page, err
	}
	page.Page = request.Page
	page.State, err = request.Choice("state", states)
	return page, err
}

// InDeliveries reads the query of a list of deliveries with these states.
func InDeliveries(states []string) Input[DeliveryPage] {
	return InCall(DeliveryQuery(states), func(c *Call) (DeliveryPage, error) { return c.DeliveryPage(states) })
}

// Deliveries returns the views of a page of the deliveries to a receiver, the newest first, with their total, which
// stops at delivery.CountLimit.
func Deliveries[D, V any](tx *db.Tx, of *delivery.Table[D], to delivery.Receiver, page DeliveryPage, view func(*D) V,
) (views []V, total int, err error) {
	found, total, err := of.List(tx, to, page.State, page.Limit, page.Offset)
	views = make([]V, len(found))
	for i := range found {
		views[i] = view(&found[i])
	}
	return views, total, err
}
