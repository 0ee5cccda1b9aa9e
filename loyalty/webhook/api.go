package webhook

import (
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// desk handles the endpoints.
type desk struct {
	reader
	sender *Sender
}

// Endpoints returns the endpoints of web hook subscriptions. facts are zero values of all event
// types.
func Endpoints(facts []event.Fact, client *outbound.Client, sender *Sender) []api.Endpoint {
	d := desk{reader{typesOf(facts), client}, sender}
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	const all, one = "/api/{storeCode}/webhook/subscription", "/api/{storeCode}/webhook/subscription/{subscription}"
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/webhook/event", Access: view, Handle: d.events,
			Summary: "List the types of events", Response: eventList{}},
		{Method: "GET", Path: all, Access: view, Handle: listSubscriptions,
			Summary: "List web hook subscriptions", Query: api.PageQuery(sortable.Columns),
			Response: subscriptionList{}},
		{Method: "POST", Path: all, Access: modify, Factor: api.Always, Handle: d.create,
			Summary: "Subscribe to events", Form: d.describe, Response: saved{},
			Audit: api.Audited("CreateWebhookSubscription", "webhook"), Secrets: []string{"signingSecret"}},
		{Method: "GET", Path: one, Access: view, Handle: getSubscription,
			Summary: "Show a web hook subscription", Response: subscriptionView{}},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Always, Handle: d.change,
			Summary: "Replace a web hook subscription", Form: d.describe, Response: saved{},
			Audit: api.Audited("UpdateWebhookSubscription", "webhook"), Secrets: []string{"signingSecret"}},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Restricts, Handle: remover,
			Summary: "Delete a web hook subscription", Response: api.NoContent{},
			Audit: api.Audited("DeleteWebhookSubscription", "webhook")},
		{Method: "POST", Path: one + "/rotate", Access: modify, Factor: api.Always, Handle: rotate,
			Summary: "Give a web hook subscription a new secret", Response: saved{},
			Audit: api.Audited("RotateWebhookSecret", "webhook"), Secrets: []string{"signingSecret"}},
		{Method: "POST", Path: one + "/test", Access: modify, Factor: api.Everyday, Handle: d.test,
			Summary: "Send a test event", Response: testResult{}, Unkeyed: true,
			Audit: api.Audited("TestWebhook", "webhook"), NoDryRun: api.CallsProvider},
		{Method: "POST", Path: one + "/replay", Access: modify, Factor: api.Always, Handle: replayRange,
			Summary: "Send a range of events again", Form: describeReplay, Response: replayed{}, Stepwise: true,
			Audit: api.Audited("ReplayWebhookEvents", "webhook")},
		{Method: "GET", Path: one + "/deliveries", Access: view, Handle: log,
			Summary: "List the deliveries of a web hook subscription",
			Query:   api.DeliveryQuery(deliveries), Response: deliveryList{}},
		{Method: "POST", Path: one + "/deliveries/{eventId}/retry", Access: modify, Factor: api.Everyday,
			Handle: retryOne, Summary: "Send a finished delivery again", Response: deliveryView{},
			Audit: api.Audited("RetryWebhookDelivery", "webhook")},
		{Method: "POST", Path: one + "/retry", Access: modify, Factor: api.Everyday, Handle: retryAll,
			Summary: "Send all dead deliveries of a web hook subscription again", Response: retried{}, Stepwise: true,
			Audit: api.Audited("RetryWebhookDeliveries", "webhook")},
	}
}

// typesOf returns the types of the facts, sorted and without duplicates.
func typesOf(facts []event.Fact) []string {
	types := make([]string, len(facts))
	for i, fact := range facts {
		types[i] = fact.EventType()
	}
	slices.Sort(types)
	return slices.Compact(types)
}

func (d desk) events(c *api.Call) error { return c.OK(eventList{d.types, len(d.types), ShortNames()}) }

func listSubscriptions(c *api.Call) error {
	request, err := c.Page()
	if err != nil {
		return err
	}
	response := subscriptionList{Subscriptions: []subscriptionView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, err := readPage(tx, c.Store.Key, request.OrderBy(sortable), request.Limit, request.Offset)
		if err != nil {
			return err
		}
		for i := range found {
			response.Subscriptions = append(response.Subscriptions, newView(c.Store, &found[i]))
		}
		response.Total, err = countSubscriptions(tx, c.Store.Key)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// pathID returns the id in the path in lower case, as ids are stored.
func pathID(c *api.Call) string { return strings.ToLower(c.PathValue("subscription")) }

// subscriptionOfPath returns the subscription of the path.
func subscriptionOfPath(c *api.Call) (s *Subscription, err error) {
	err = c.Read(func(tx *db.Tx) error {
		s, err = findSubscription(tx, c.Store.Key, pathID(c))
		return err
	})
	return s, err
}

func getSubscription(c *api.Call) error {
	s, err := subscriptionOfPath(c)
	if err != nil {
		return err
	}
	return c.OK(newView(c.Store, s))
}

// mayRead returns an error if the caller may not read the events that web hooks send.
func mayRead(caller *access.Caller) error {
	if !caller.Allowed(access.Events, access.View) {
		return ErrNoEvents
	}
	return nil
}

// draft reads and validates the form of a request.
func (d desk) draft(c *api.Call) (Draft, error) {
	body, err := c.Body()
	if err != nil {
		return Draft{}, err
	}
	group := form.Read(body, "webhookSubscription")
	in := d.read(group)
	in.SubscriberID = c.Caller.ID
	if err := group.Err(); err != nil {
		return in, err
	}
	return in, mayRead(c.Caller)
}

func (d desk) create(c *api.Call) error {
	draft, err := d.draft(c)
	if err != nil {
		return err
	}
	position, err := event.Last(c.Context(), c.DB())
	if err != nil {
		return err
	}
	return save(c, func(tx *db.Tx) (*Subscription, bool, error) {
		s, err := Create(tx, c.Store.Key, position, draft)
		return s, draft.Signed, err
	})
}

func (d desk) change(c *api.Call) error {
	if _, err := subscriptionOfPath(c); err != nil { // 404 comes before form errors
		return err
	}
	draft, err := d.draft(c)
	if err != nil {
		return err
	}
	return save(c, func(tx *db.Tx) (*Subscription, bool, error) {
		return Update(tx, c.Store.Key, pathID(c), draft)
	})
}

func rotate(c *api.Call) error {
	return save(c, func(tx *db.Tx) (*Subscription, bool, error) {
		s, err := Rotate(tx, c.Store.Key, pathID(c))
		return s, true, err
	})
}

// save responds with the id of the subscription that run stored, and with its secret if that is new.
// Secrets are not shown again.
func save(c *api.Call, run func(tx *db.Tx) (s *Subscription, fresh bool, err error)) error {
	var response saved
	return c.Write(func(tx *db.Tx) error {
		s, fresh, err := run(tx)
		if err != nil {
			return err
		}
		audit.Of(tx).SetEntity(s.ID)
		response = saved{ID: s.ID}
		if fresh {
			response.Secret = s.Secret
		}
		return nil
	}, func() error { return c.OK(response) })
}

func remover(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		return Delete(tx, c.Store.Key, pathID(c))
	}, c.NoContent)
}
