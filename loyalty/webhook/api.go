package webhook

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
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
	draft := api.BodyInCall("webhookSubscription", d.readDraft, api.Reads(d.read))
	begun := api.BodyInCall("webhookSubscription", d.readBegun, api.Reads(d.read))
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/webhook/event", Access: view, Do: api.Tell(d.listEvents),
			Summary: "List the types of events"},
		{Method: "GET", Path: all, Access: view, Do: api.Read(api.InPages(sortable.Columns), listSubscriptions),
			Summary: "List web hook subscriptions"},
		{Method: "POST", Path: all, Access: modify, Factor: api.Always, Do: api.Write(begun, create),
			Summary: "Subscribe to events", Audit: api.Audited("CreateWebhookSubscription", "webhook"),
			Secrets: []string{"signingSecret"}},
		{Method: "GET", Path: one, Access: view, Do: api.Show(showSubscription), Summary: "Show a web hook subscription"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Always, Do: api.WriteTo(findOfPath, draft, change),
			Summary: "Replace a web hook subscription", Audit: api.Audited("UpdateWebhookSubscription", "webhook"),
			Secrets: []string{"signingSecret"}},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Restricts, Do: api.Act(deleteSubscription),
			Summary: "Delete a web hook subscription", Audit: api.Audited("DeleteWebhookSubscription", "webhook")},
		{Method: "POST", Path: one + "/rotate", Access: modify, Factor: api.Always, Do: api.Act(rotate),
			Summary: "Give a web hook subscription a new secret", Audit: api.Audited("RotateWebhookSecret", "webhook"),
			Secrets: []string{"signingSecret"}},
		{Method: "POST", Path: one + "/test", Access: modify, Factor: api.Everyday, Do: api.Tell(d.test),
			Summary: "Send a test event", Unkeyed: true,
			Audit: api.Audited("TestWebhook", "webhook"), NoDryRun: api.CallsProvider},
		{Method: "POST", Path: one + "/replay", Access: modify, Factor: api.Always,
			Do:      api.Respond(api.Body("replay", readSpan), replayEvents).First(subscriptionExists),
			Summary: "Send a range of events again", Stepwise: true, Audit: api.Audited("ReplayWebhookEvents", "webhook")},
		{Method: "GET", Path: one + "/deliveries", Access: view,
			Do:      api.Read(api.InDeliveries(deliveries.States), listDeliveries),
			Summary: "List the deliveries of a web hook subscription"},
		{Method: "POST", Path: one + "/deliveries/{eventId}/retry", Access: modify, Factor: api.Everyday,
			Do: api.Act(retryOne), Summary: "Send a finished delivery again",
			Audit: api.Audited("RetryWebhookDelivery", "webhook")},
		{Method: "POST", Path: one + "/retry", Access: modify, Factor: api.Everyday, Do: api.Tell(retryAll),
			Summary: "Send all dead deliveries of a web hook subscription again", Stepwise: true,
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

func (d desk) listEvents(*api.Call) (eventList, error) {
	return eventList{d.types, len(d.types), ShortNames()}, nil
}

func listSubscriptions(r *api.Reading, page api.Page) (subscriptionList, error) {
	list := subscriptionList{Subscriptions: []subscriptionView{}}
	found, err := readPage(r.Tx, r.Store.Key, page.OrderBy(sortable), page.Limit, page.Offset)
	if err != nil {
		return list, err
	}
	for i := range found {
		list.Subscriptions = append(list.Subscriptions, newView(r.Store, &found[i]))
	}
	list.Total, err = countSubscriptions(r.Tx, r.Store.Key)
	return list, err
}

// ofPath returns the subscription that the path names.
func ofPath(c *api.Call, tx *db.Tx) (*Subscription, error) {
	return findSubscription(tx, c.Store.Key, c.PathID("subscription"))
}

func findOfPath(w *api.Writing) (*Subscription, error) { return ofPath(w.Call, w.Tx) }

func showSubscription(r *api.Reading) (subscriptionView, error) {
	s, err := ofPath(r.Call, r.Tx)
	if err != nil {
		return subscriptionView{}, err
	}
	return newView(r.Store, s), nil
}

// mayRead returns an error if the caller may not read the events that web hooks send.
func mayRead(caller *access.Caller) error {
	if !caller.Allowed(access.Events, access.View) {
		return ErrNoEvents
	}
	return nil
}

// readDraft reads the form, which only those may send who may read events.
func (d desk) readDraft(c *api.Call, g *form.Group) (in Draft, err error) {
	in = d.read(g)
	in.SubscriberID = c.Caller.ID
	if g.Err() == nil {
		err = mayRead(c.Caller)
	}
	return in, err
}

// begun is a subscription to the events after one.
type begun struct {
	Draft
	after int64
}

func (d desk) readBegun(c *api.Call, g *form.Group) (in begun, err error) {
	if in.Draft, err = d.readDraft(c, g); err != nil || g.Err() != nil {
		return in, err
	}
	in.after, err = event.Last(c.Context(), c.DB())
	return in, err
}

func create(w *api.Writing, in begun) (saved, error) {
	s, err := Create(w.Tx, w.Store.Key, in.after, in.Draft)
	return save(w, s, in.Signed, err)
}

func change(w *api.Writing, s *Subscription, in Draft) (saved, error) {
	s, fresh, err := Update(w.Tx, w.Store.Key, s.ID, in)
	return save(w, s, fresh, err)
}

func rotate(w *api.Writing) (saved, error) {
	s, err := Rotate(w.Tx, w.Store.Key, w.PathID("subscription"))
	return save(w, s, true, err)
}

// save returns the id of a stored subscription, and its secret if that is new. Secrets are not shown again.
func save(w *api.Writing, s *Subscription, fresh bool, err error) (saved, error) {
	if err != nil {
		return saved{}, err
	}
	w.Entry().SetEntity(s.ID)
	if !fresh {
		return saved{ID: s.ID}, nil
	}
	return saved{s.ID, s.Secret}, nil
}

func deleteSubscription(w *api.Writing) (api.NoContent, error) {
	return api.NoContent{}, Delete(w.Tx, w.Store.Key, w.PathID("subscription"))
}
