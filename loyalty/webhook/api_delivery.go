package webhook

import (
	"encoding/json"
	"slices"
	"strconv"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// testType is the type of the message that a test sends. No event is stored.
const testType = "Platform.Webhook.Test"

func subscriptionExists(c *api.Call) error {
	return c.Read(func(tx *db.Tx) error {
		_, err := ofPath(c, tx)
		return err
	})
}

// test calls the address of a subscription at once and returns the outcome.
func (d desk) test(c *api.Call) (testResult, error) {
	var s *Subscription
	if err := c.Read(func(tx *db.Tx) (err error) {
		s, err = ofPath(c, tx)
		return err
	}); err != nil {
		return testResult{}, err
	}
	id := deliveryID(s.ID, "test_"+db.NewID())
	e := event.Event{Type: testType, RecordedAt: c.DB().Now(), Payload: json.RawMessage("{}")}
	body, err := s.body(nil, c.Store, &e, false) // has nothing to read
	if err != nil {
		return testResult{}, err
	}
	o := d.sender.call(c.Context(), s, id, body)
	return testResult{DeliveryID: id, Delivered: o.OK(), Status: o.Status, Error: o.Problem}, nil
}

// replayEvents sends the events of a range again, in several transactions. An interrupted call can be repeated.
func replayEvents(c *api.Call, in span) (done replayed, err error) {
	if err := mayRead(c.Caller); err != nil {
		return done, err
	}
	for after := in.from - 1; after < in.to; {
		events, more, err := event.After(c.Context(), c.DB(), after, int(min(replayedAtOnce, in.to-after)))
		if err != nil {
			return done, err
		}
		events = slices.DeleteFunc(events, func(e event.Event) bool { return e.ID > in.to })
		err = c.Step(func(tx *db.Tx) error {
			n, err := replay(tx, c.Store.Key, c.PathID("subscription"), events)
			done.Replayed += n
			return err
		})
		if err != nil || !more || len(events) == 0 {
			return done, err
		}
		after = events[len(events)-1].ID
	}
	return done, nil
}

func retryOne(w *api.Writing) (deliveryView, error) {
	eventID, err := strconv.ParseInt(w.PathValue("eventId"), 10, 64)
	if err != nil {
		return deliveryView{}, fault.ErrNotFound
	}
	started, err := Retry(w.Tx, w.Store.Key, w.PathID("subscription"), eventID)
	if err != nil {
		return deliveryView{}, err
	}
	return deliveryViewOf(w.Store, started), nil
}

// retryAll starts dead deliveries again, in several transactions. An interrupted call can be repeated.
func retryAll(c *api.Call) (retried, error) {
	done := retried{Complete: true}
	for n := replayedAtOnce; n == replayedAtOnce; done.Retried += n {
		if done.Retried >= OpenLimit {
			done.Complete = false
			break
		}
		err := c.Step(func(tx *db.Tx) (err error) {
			n, err = retryDead(tx, c.Store.Key, c.PathID("subscription"), replayedAtOnce)
			return err
		})
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func listDeliveries(r *api.Reading, page api.DeliveryPage) (list deliveryList, err error) {
	s, err := ofPath(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	list.Deliveries, list.Total, err = api.Deliveries(r.Tx, deliveries, s.receiver(), page,
		func(d *Delivery) deliveryView { return deliveryViewOf(r.Store, d) })
	return list, err
}
