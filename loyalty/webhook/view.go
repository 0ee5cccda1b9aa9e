package webhook

import (
	"punchcard/core/api"
	"punchcard/core/store"
)

type eventList struct {
	Events     []string `json:"events"`
	Total      int      `json:"total"` // without ShortNames
	ShortNames []string `json:"shortNames"`
}

type subscriptionList struct {
	Subscriptions []subscriptionView `json:"subscriptions"`
	Total         int                `json:"total"`
}

// subscriptionView shows neither the signing secret nor the values of headers.
type subscriptionView struct {
	ID             string       `json:"webhookSubscriptionId"`
	EventName      string       `json:"eventName"` // the first of EventNames
	EventNames     []string     `json:"eventNames"`
	URL            string       `json:"url"`
	Description    string       `json:"description,omitempty"`
	Headers        []headerView `json:"headers"`
	HMACEnabled    bool         `json:"hmacEnabled"`
	OldSecretUntil *string      `json:"oldSecretUntil,omitempty"`
	Active         bool         `json:"active"`
	DisabledReason string       `json:"disabledReason,omitempty"`
	FailingSince   *string      `json:"failingSince,omitempty"`
	LastEventID    int64        `json:"lastEventId"` // the last event that was read
	CreatedAt      string       `json:"createdAt"`
	ManagedBy      string       `json:"managedBy,omitempty"` // settings
}

type headerView struct {
	Name string `json:"headerName"`
}

func newView(of *store.Store, s *Subscription) subscriptionView {
	v := subscriptionView{
		ID: s.ID, EventName: s.EventNames[0], EventNames: s.EventNames, URL: s.URL, Description: s.Description,
		Headers: []headerView{}, HMACEnabled: s.Signed, Active: s.Active, DisabledReason: s.DisabledReason,
		FailingSince: api.OptionalTimestamp(s.FailingSince, of.Zone), LastEventID: s.Position,
		CreatedAt: api.Timestamp(s.CreatedAt, of.Zone),
	}
	if s.OldSecret != "" && s.Signed {
		v.OldSecretUntil = api.OptionalTimestamp(s.OldSecretUntil, of.Zone)
	}
	if s.Managed {
		v.ManagedBy = "settings"
	}
	for _, h := range s.Headers {
		v.Headers = append(v.Headers, headerView{h.Name})
	}
	return v
}

type saved struct {
	ID     string `json:"webhookSubscriptionId"`
	Secret string `json:"signingSecret,omitempty"`
}

type testResult struct {
	DeliveryID string `json:"deliveryId"`
	Delivered  bool   `json:"delivered"`
	Status     int    `json:"status"` // 0 without a response
	Error      string `json:"error,omitempty"`
}

type replayed struct {
	Replayed int `json:"replayed"` // number of events sent again
}

// retried is the result of a retry. Complete is false if more deliveries are dead than one call starts again.
type retried struct {
	Retried  int  `json:"retried"`
	Complete bool `json:"complete"`
}

type deliveryList struct {
	Deliveries []deliveryView `json:"deliveries"`
	Total      int            `json:"total"` // up to delivery.CountLimit
}

type deliveryView struct {
	ID        string `json:"deliveryId"` // the webhook-id of the call
	EventID   int64  `json:"eventId"`
	EventName string `json:"eventName"`
	UUID      string `json:"uuid"`
	api.AttemptState
	FinishedAt *string `json:"finishedAt,omitempty"`
}

func deliveryViewOf(of *store.Store, d *Delivery) deliveryView {
	return deliveryView{
		ID: d.id(), EventID: d.EventID, EventName: d.Type, UUID: d.AggregateID,
		AttemptState: api.AttemptStateOf(&d.Progress, of.Zone), FinishedAt: api.OptionalTimestamp(d.FinishedAt, of.Zone),
	}
}
