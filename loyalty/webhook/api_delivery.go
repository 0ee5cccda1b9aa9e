package webhook

import (
	"encoding/json"
	"slices"
	"strconv"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// testType is the type of the message that a test sends. No event is stored.
const testType = "Platform.Webhook.Test"

// test calls the address of a subscription at once and returns the outcome.
func (d desk) test(c *api.Call) error {
	s, err := subscriptionOfPath(c)
	if err != nil {
		return err
	}
	id := deliveryID(s.ID, "test_"+db.NewID())
	e := event.Event{Type: testType, RecordedAt: c.DB().Now(), Payload: json.RawMessage("{}")}
	body, err := s.body(nil, c.Store, &e, false) // has nothing to read
	if err != nil {
		return err
	}
	o := d.sender.call(c.Context(), s, id, body)
	return c.OK(testResult{DeliveryID: id, Delivered: o.OK(), Status: o.Status, Error: o.Problem})
}

func describeReplay(g *form.Group) { span(g.Group("replay")) }

// replayRange sends the events of a range again, in several transactions. An interrupted call can be
// repeated.
func replayRange(c *api.Call) error {
	if _, err := subscriptionOfPath(c); err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "replay")
	from, to := span(group)
	if err := group.Err(); err != nil {
		return err
	}
	if err := mayRead(c.Caller); err != nil {
		return err
	}
	var response replayed
	for after := from - 1; after < to; {
		events, more, err := event.After(c.Context(), c.DB(), after, int(min(replayedAtOnce, to-after)))
		if err != nil {
			return err
		}
		events = slices.DeleteFunc(events, func(e event.Event) bool { return e.ID > to })
		err = c.Step(func(tx *db.Tx) error {
			n, err := replay(tx, c.Store.Key, c.PathValue("subscription"), events)
			response.Replayed += n
			return err
		})
		if err != nil {
			return err
		}
		if !more || len(events) == 0 {
			break
		}
		after = events[len(events)-1].ID
	}
	return c.OK(response)
}

func retryOne(c *api.Call) error {
	eventID, err := strconv.ParseInt(c.PathValue("eventId"), 10, 64)
	if err != nil {
		return fault.ErrNotFound
	}
	var response deliveryView
	return c.Write(func(tx *db.Tx) error {
		started, err := Retry(tx, c.Store.Key, c.PathValue("subscription"), eventID)
		if err != nil {
			return err
		}
		response = deliveryViewOf(c.Store, started)
		return nil
	}, func() error { return c.OK(response) })
}

// retryAll starts dead deliveries again, in several transactions. An interrupted call can be repeated.
func retryAll(c *api.Call) error {
	response := retried{Complete: true}
	for n := replayedAtOnce; n == replayedAtOnce; {
		if response.Retried >= OpenLimit {
			response.Complete = false
			break
		}
		err := c.Step(func(tx *db.Tx) (err error) {
			n, err = retryDead(tx, c.Store.Key, c.PathValue("subscription"), replayedAtOnce)
			return err
		})
		if err != nil {
			return err
		}
		response.Retried += n
	}
	return c.OK(response)
}

func log(c *api.Call) error {
	of := func(tx *db.Tx) (delivery.Receiver, error) {
		s, err := findSubscription(tx, c.Store.Key, c.PathValue("subscription"))
		return s.receiver(), err
	}
	views, total, err := api.Deliveries(c, deliveries, of, func(d *Delivery) deliveryView {
		return deliveryViewOf(c.Store, d)
	})
	if err != nil {
		return err
	}
	return c.OK(deliveryList{views, total})
}
