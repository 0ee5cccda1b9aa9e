package webhook

import (
	"context"
	"encoding/json"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/outbound"
)

// message is the body of a call.
type message struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"` // when the event was recorded, in the time zone of the store
	Data      data   `json:"data"`
}

type data struct {
	StoreCode string          `json:"storeCode"`
	EventID   int64           `json:"eventId"` // 0 in a test
	UUID      string          `json:"uuid"`    // the aggregate: a customer, an account, a transaction
	Payload   json.RawMessage `json:"payload"`
}

func messageOf(s *store.Store, e *event.Event) message {
	return message{
		Type: e.Type, Timestamp: api.EventTimestamp(e.RecordedAt, s.Zone),
		Data: data{StoreCode: s.Code, EventID: e.ID, UUID: e.AggregateID, Payload: e.Payload},
	}
}

// notPermitted is the problem of a delivery whose subscriber may no longer see events.
const notPermitted = "the subscriber may not see events"

// reads returns whether the subscriber may see events now, and the personal members of events.
func (s *Subscription) reads(tx *db.Tx) (events, personal bool, err error) {
	if s.SubscriberID == "" {
		return true, true, nil
	}
	subscriber, err := auth.FindCaller(tx, s.SubscriberID)
	if err != nil || subscriber == nil || !subscriber.Reaches(s.StoreKey) {
		return false, false, err
	}
	subscriber = subscriber.In(s.StoreKey)
	return mayRead(subscriber) == nil, eventlog.ShowsPersonal(subscriber), nil
}

// body returns the body of a call about an event, with its personal members or without.
func (s *Subscription) body(tx *db.Tx, of *store.Store, e *event.Event, personal bool) (any, error) {
	if !personal {
		var err error
		if e.Payload, err = eventlog.WithoutPersonal(e); err != nil {
			return nil, err
		}
	}
	if !s.isShort() {
		return messageOf(of, e), nil
	}
	m, err := shortMessageOf(tx, of, e)
	if !personal {
		m.forgetCustomer()
	}
	return m, err
}

// call sends a message to the address of a subscription, also of an inactive one.
func (s *Sender) call(ctx context.Context, to *Subscription, id string, m any) outbound.Outcome {
	request, err := s.request(to, id, m)
	if err != nil {
		return outbound.Outcome{Problem: err.Error()}
	}
	return s.client.Try(ctx, request, "receiver")
}

func (s *Sender) request(to *Subscription, id string, m any) (call outbound.Call, err error) {
	call.URL = to.URL
	if call.Body, err = json.Marshal(m); err != nil {
		return call, err
	}
	now := s.db.Now()
	if call.Header, err = outbound.Sign(id, now, call.Body, to.secrets(now)...); err != nil {
		return call, err
	}
	if !to.Signed {
		call.Header.Del(outbound.HeaderSignature)
	}
	for _, h := range to.Headers {
		call.Header.Set(h.Name, h.Value)
	}
	return call, nil
}
