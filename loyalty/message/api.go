package message

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/device"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of messages and of the settings by which they are sent.
func Endpoints(c *Config) []api.Endpoint {
	view, modify := access.AdministratorWith(access.Settings, access.View),
		access.AdministratorWith(access.Settings, access.Modify)
	customers := access.AdministratorWith(access.Customers, access.View)
	change := access.AdministratorWith(access.Customers, access.Modify)
	const ofStore = "/api/{storeCode}/"
	const settings, sent = ofStore + "admin/message/settings", ofStore + "admin/message/sent"
	const refused = ofStore + "admin/customer/{customer}/undeliverable"
	const allRefused = ofStore + "admin/message/undeliverable"
	const unsubscribe = ofStore + "customer/unsubscribe/{token}"
	return append(c.browserEndpoints(), []api.Endpoint{
		{Method: "GET", Path: ofStore + "admin/message/status", Access: view, Do: api.Show(c.showStatus),
			Summary: "Show which channels can send messages, and what waits"},
		{Method: "GET", Path: settings, Access: view, Do: api.Show(showSettings), Summary: "Show how messages are sent"},
		{Method: "PUT", Path: settings, Access: modify, Factor: api.InHandler,
			Do:      api.Write(api.BodyInCall("messageSettings", c.readSettings, c.describeSettings), changeSettings),
			Summary: "Set how messages are sent",
			Audit:   api.Audited("UpdateMessageSettings", "settings"), Secrets: []string{"signingSecret"}},
		{Method: "POST", Path: settings + "/test", Access: modify, Factor: api.Everyday, Unkeyed: true,
			Do: api.Respond(api.Body("", readTest), c.test), Summary: "Send a test message at once",
			Audit: api.Audited("SendTestMessage", "message"), NoDryRun: api.CallsProvider},
		{Method: "GET", Path: sent, Access: customers,
			Do:      api.Read(api.InCall(api.PageQuery[string](nil, describeFilters), readQuery), listSent),
			Summary: "List messages, the newest first"},
		{Method: "GET", Path: sent + "/{message}", Access: customers, Do: api.Show(showSent), Summary: "Show a message"},
		{Method: "POST", Path: sent + "/{message}/resend", Access: change, Factor: api.Everyday, Do: api.Act(resend),
			Summary: "Send a message again that failed or waits", Audit: api.Audited("ResendMessage", "message")},
		{Method: "GET", Path: allRefused, Access: customers,
			Do:      api.Read(api.InCall(api.PageQuery[string](nil, describeRefusals), readRefusalQuery), listAllUndeliverable),
			Summary: "List the addresses that were refused for good, the last ones first"},
		{Method: "POST", Path: allRefused + "/forgive", Access: change, Factor: api.Everyday,
			Do:      api.Write(api.BodyInStore("forgiving", readForgiving), forgiveAllUndeliverable),
			Summary: "Send messages again to the refused addresses of a period or a reason",
			Audit:   api.Audited("ClearUndeliverable", "message")},
		{Method: "GET", Path: refused, Access: customers, Do: api.Show(listUndeliverable),
			Summary: "List the addresses of a customer that were refused for good"},
		{Method: "DELETE", Path: refused, Access: change, Factor: api.Everyday, Do: api.Act(forgiveUndeliverable),
			Summary: "Send messages to the refused addresses of a customer again",
			Audit:   api.Audited("ClearUndeliverable", "customer")},
		{Method: "GET", Path: unsubscribe, Access: access.Public(), Handle: c.getSubscription,
			Summary: "Show what a link in a marketing message ends", Response: subscriptionView{}},
		{Method: "POST", Path: unsubscribe, Access: access.Public(), Factor: api.NoSession, Do: api.Act(c.unsubscribe),
			Summary: "End marketing messages, by the link in one of them", Audit: api.Audited("Unsubscribe", "customer")},
	}...)
}

func describeFilters(q *form.Group) {
	q.Choice("channel", channels)
	q.Choice("event", template.EventNames())
	q.Choice("state", States)
	q.UUID("customer")
}

func (c *Config) showStatus(r *api.Reading) (v statusView, err error) {
	v = statusView{Channels: make([]channelView, len(channels)), Mailbox: c.Mailbox, PublicURL: c.Pages(r.Store)}
	v.Administrators = administratorsView{Reason: c.administratorsObstacle(), PublicURL: c.Base}
	v.Administrators.Working = v.Administrators.Reason == ""
	settings, err := settingsOf(r.Tx, r.Store.Key)
	if err != nil {
		return v, err
	}
	for i, channel := range channels {
		of := channelView{Channel: channel, Reason: c.obstacle(settings, channel)}
		of.Working = of.Reason == ""
		if of.Waiting, err = countWaiting(r.Tx, r.Store.Key, queuesOf(channel)...); err != nil {
			return v, err
		}
		if channel == template.Push && settings.Push.Browsers {
			n, err := device.CountSubscriptions(r.Tx, r.Store.Key, delivery.CountLimit)
			if err != nil {
				return v, err
			}
			of.Browsers = &n
		}
		v.Channels[i] = of
	}
	v.Administrators.Waiting, err = countWaiting(r.Tx, r.Store.Key, administrators)
	if err == nil && r.Store.Settings.AccountActivationNeeded {
		v.WaitingForActivation, err = customer.CountNew(r.Tx, r.Store.Key)
	}
	return v, err
}

// query asks for a page of messages.
type query struct {
	api.Page
	filter
}

func readQuery(c *api.Call) (q query, err error) {
	request, err := c.ListRequest()
	if err != nil {
		return q, err
	}
	q.Page, q.RecipientID = request.Page, strings.ToLower(request.Query.Child("customer").Text())
	err = request.Choose(api.Choices{Name: "channel", Values: channels, To: &q.Channel},
		api.Choices{Name: "event", Values: template.EventNames(), To: &q.Event},
		api.Choices{Name: "state", Values: States, To: &q.State})
	return q, err
}

func listSent(r *api.Reading, q query) (deliveryList, error) {
	found, total, err := listDeliveries(r.Tx, r.Store.Key, q.filter, q.Limit, q.Offset)
	list := deliveryList{make([]deliveryView, len(found)), total}
	for i := range found {
		list.Messages[i] = newView(r.Store, &found[i]).shownTo(r.Caller)
	}
	return list, err
}

// deliveryOfPath finds the delivery of the path. ending is appended to the statement.
func deliveryOfPath(c *api.Call, tx *db.Tx, ending string) (Delivery, error) {
	d, found, err := findDelivery(tx, c.Store.Key, c.PathID("message"), ending)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return d, err
}

func showSent(r *api.Reading) (deliveryView, error) {
	d, err := deliveryOfPath(r.Call, r.Tx, "")
	return newView(r.Store, &d).shownTo(r.Caller), err
}

// errSent refuses to send a message again that arrived or was not needed.
var errSent = fault.New(fault.Refused, "message_sent", "Only a message that failed or waits can be sent again.")

func resend(w *api.Writing) (deliveryView, error) {
	d, err := deliveryOfPath(w.Call, w.Tx, " FOR UPDATE")
	if err == nil {
		err = Resend(w.Tx, &d)
	}
	return newView(w.Store, &d).shownTo(w.Caller), err
}

// Resend makes a locked delivery due again, also to an address that was refused for good.
func Resend(tx *db.Tx, d *Delivery) error {
	if d.State != Dead && d.State != Waiting {
		return errSent
	}
	if err := deliverable(tx, d.StoreKey, d.Address); err != nil {
		return err
	}
	return restart(tx, d)
}

// getSubscription shows whether a customer is subscribed. A person who opens the address, which mail programs show, is
// led to the page for it.
func (c *Config) getSubscription(call *api.Call) error {
	if call.WantsPage() {
		return call.Lead(c.Pages(call.Store) + pageOf(call.Store, call.PathValue("token")))
	}
	var response subscriptionView
	err := call.Read(func(tx *db.Tx) error {
		id, err := unsubscriber(tx, call.Store.Key, call.PathValue("token"))
		if err != nil {
			return err
		}
		who, err := customer.Find(tx, call.Store.Key, id)
		if err == nil {
			response = subscriptionViewOf(call.Store, who.Agreements[marketingAgreement])
		}
		return err
	})
	if err != nil {
		return err
	}
	return call.OK(response)
}

// unsubscribe ignores the body, so that mail programs can call it by one click, as RFC 8058 says.
func (c *Config) unsubscribe(w *api.Writing) (subscriptionView, error) {
	return subscriptionViewOf(w.Store, false), c.Unsubscribe(w.Tx, w.Store, w.PathValue("token"))
}

func subscriptionViewOf(s *store.Store, subscribed bool) subscriptionView {
	return subscriptionView{ProgramName: s.Settings.ProgramName, Subscribed: subscribed}
}
