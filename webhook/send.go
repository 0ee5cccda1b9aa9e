package webhook

import (
	"context"
	"encoding/json"
	"fmt"

	"punchcard/api"
	"punchcard/platform/event"
	"punchcard/platform/outbound"
	"punchcard/store"
)

// message is the body of a call.
type message struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"` // when the event was recorded, in the time zone of the store
	Data      data   `json:"data"`
}

type data struct {
	StoreCode string          `json:"storeCode"`
	EventID   int64           `json:"eventId"` // 0 of a test
	UUID      string          `json:"uuid"`    // the aggregate: a customer, an account, a transaction
	Payload   json.RawMessage `json:"payload"`
}

func messageOf(s *store.Store, e *event.Event) message {
	return message{
		Type: e.Type, Timestamp: api.EventTimestamp(e.RecordedAt, s.Zone),
		Data: data{StoreCode: s.Code, EventID: e.ID, UUID: e.AggregateID, Payload: e.Payload},
	}
}

// call sends a message to the address of a subscription, whether that is switched on or not.
func (s *Sender) call(ctx context.Context, to *Subscription, id string, m message) outcome {
	o := outcome{random: s.random()}
	request, err := s.request(to, id, m)
	if err != nil {
		o.problem = err.Error()
		return o
	}
	answer, err := s.client.Do(ctx, request)
	if err != nil {
		o.problem = shortened(err.Error())
		return o
	}
	o.status, o.retryAfter, o.gone = answer.Status, answer.RetryAfter, answer.Gone()
	if !answer.OK() {
		o.problem = fmt.Sprintf("the receiver answered %d", answer.Status)
	}
	return o
}

func (s *Sender) request(to *Subscription, id string, m message) (call outbound.Call, err error) {
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

// shortened keeps a text within what is stored of an error.
func shortened(text string) string {
	const limit = 500 // bytes
	return text[:min(len(text), limit)]
}
