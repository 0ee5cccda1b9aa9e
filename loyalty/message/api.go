package message

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
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
		{Method: "GET", Path: ofStore + "admin/message/status", Access: view, Handle: c.getStatus,
			Summary: "Show which channels can send messages, and what waits", Response: statusView{}},
		{Method: "GET", Path: settings, Access: view, Handle: getSettings,
			Summary: "Show how messages are sent", Response: settingsView{}},
		{Method: "PUT", Path: settings, Access: modify, Factor: api.InHandler, Handle: c.putSettings,
			Summary: "Set how messages are sent", Form: c.describeSettings, Response: settingsView{},
			Audit: api.Audited("UpdateMessageSettings", "settings"), Secrets: []string{"signingSecret"}},
		{Method: "POST", Path: settings + "/test", Access: modify, Factor: api.Everyday, Handle: c.test, Unkeyed: true,
			Summary: "Send a test message at once", Form: describeTest, Response: testView{},
			Audit: api.Audited("SendTestMessage", "message"), NoDryRun: api.CallsProvider},
		{Method: "GET", Path: sent, Access: customers, Handle: listSent,
			Summary: "List messages, the newest first", Query: api.PageQuery(map[string]string(nil), describeFilters),
			Response: deliveryList{}},
		{Method: "GET", Path: sent + "/{message}", Access: customers, Handle: getSent,
			Summary: "Show a message", Response: deliveryView{}},
		{Method: "POST", Path: sent + "/{message}/resend", Access: change, Factor: api.Everyday, Handle: resend,
			Summary: "Send a message again that failed or waits", Response: deliveryView{},
			Audit: api.Audited("ResendMessage", "message")},
		{Method: "GET", Path: allRefused, Access: customers, Handle: listAllUndeliverable,
			Summary: "List the addresses that were refused for good, the last ones first",
			Query:   api.PageQuery(map[string]string(nil), describeRefusals), Response: undeliverablePage{}},
		{Method: "POST", Path: allRefused + "/forgive", Access: change, Factor: api.Everyday,
			Handle:  forgiveAllUndeliverable,
			Summary: "Send messages again to the refused addresses of a period or a reason", Form: describeForgiving,
			Response: forgivenView{}, Audit: api.Audited("ClearUndeliverable", "message")},
		{Method: "GET", Path: refused, Access: customers, Handle: listUndeliverable,
			Summary: "List the addresses of a customer that were refused for good", Response: undeliverableList{}},
		{Method: "DELETE", Path: refused, Access: change, Factor: api.Everyday, Handle: forgiveUndeliverable,
			Summary: "Send messages to the refused addresses of a customer again", Response: api.NoContent{},
			Audit: api.Audited("ClearUndeliverable", "customer")},
		{Method: "GET", Path: unsubscribe, Access: access.Public(), Handle: c.getSubscription,
			Summary: "Show what a link in a marketing message ends", Response: subscriptionView{}},
		{Method: "POST", Path: unsubscribe, Access: access.Public(), Factor: api.NoSession, Handle: c.unsubscribe,
			Summary: "End marketing messages, by the link in one of them", Response: subscriptionView{},
			Audit: api.Audited("Unsubscribe", "customer")},
	}...)
}

func describeFilters(q *form.Group) {
	q.Choice("channel", channels)
	q.Choice("event", eventNames())
	q.Choice("state", States)
	q.UUID("customer")
}

func eventNames() []string {
	names := make([]string, len(template.Events))
	for i, e := range template.Events {
		names[i] = e.Name
	}
	return names
}

func (c *Config) getStatus(call *api.Call) error {
	response := statusView{Channels: []channelView{}, Mailbox: c.Mailbox}
	response.PublicURL = c.Pages(call.Store)
	response.Administrators = administratorsView{Reason: c.administratorsObstacle(), PublicURL: c.Base}
	response.Administrators.Working = response.Administrators.Reason == ""
	err := call.Read(func(tx *db.Tx) error {
		response.Channels = response.Channels[:0]
		settings, err := settingsOf(tx, call.Store.Key)
		for _, channel := range channels {
			v := channelView{Channel: channel}
			if err == nil {
				v.Reason = c.obstacle(settings, channel)
				v.Working = v.Reason == ""
				v.Waiting, err = countWaiting(tx, call.Store.Key, queuesOf(channel)...)
			}
			if err == nil && channel == template.Push && settings.Push.Browsers {
				var n int
				n, err = customer.CountPushSubscriptions(tx, call.Store.Key, delivery.CountLimit)
				v.Browsers = &n
			}
			response.Channels = append(response.Channels, v)
		}
		if err == nil {
			response.Administrators.Waiting, err = countWaiting(tx, call.Store.Key, administrators)
		}
		if err == nil && call.Store.Settings.AccountActivationNeeded {
			response.WaitingForActivation, err = customer.CountNew(tx, call.Store.Key)
		}
		return err
	})
	if err != nil {
		return err
	}
	return call.OK(response)
}

func listSent(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	f := filter{RecipientID: strings.ToLower(request.Query.Child("customer").Text())}
	for _, choice := range []struct {
		name    string
		choices []string
		to      *string
	}{{"channel", channels, &f.Channel}, {"event", eventNames(), &f.Event}, {"state", States, &f.State}} {
		if *choice.to, err = request.Choice(choice.name, choice.choices); err != nil {
			return err
		}
	}
	response := deliveryList{Messages: []deliveryView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := listDeliveries(tx, c.Store.Key, f, request.Limit, request.Offset)
		response = deliveryList{Messages: make([]deliveryView, len(found)), Total: total}
		for i := range found {
			response.Messages[i] = newView(c.Store, &found[i]).shownTo(c.Caller)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// deliveryOfPath finds the delivery of the path. ending is appended to the statement.
func deliveryOfPath(c *api.Call, tx *db.Tx, ending string) (Delivery, error) {
	d, found, err := findDelivery(tx, c.Store.Key, strings.ToLower(c.PathValue("message")), ending)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return d, err
}

func getSent(c *api.Call) error {
	var response deliveryView
	err := c.Read(func(tx *db.Tx) error {
		d, err := deliveryOfPath(c, tx, "")
		response = newView(c.Store, &d).shownTo(c.Caller)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// errSent refuses to send a message again that arrived or was not needed.
var errSent = fault.New(fault.Refused, "message_sent", "Only a message that failed or waits can be sent again.")

func resend(c *api.Call) error {
	var response deliveryView
	return c.Write(func(tx *db.Tx) error {
		d, err := deliveryOfPath(c, tx, " FOR UPDATE")
		if err != nil {
			return err
		}
		if err := Resend(tx, &d); err != nil {
			return err
		}
		response = newView(c.Store, &d).shownTo(c.Caller)
		return nil
	}, func() error { return c.OK(response) })
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
func (c *Config) unsubscribe(call *api.Call) error {
	return call.Write(func(tx *db.Tx) error { return c.Unsubscribe(tx, call.Store, call.PathValue("token")) },
		func() error { return call.OK(subscriptionViewOf(call.Store, false)) })
}

func subscriptionViewOf(s *store.Store, subscribed bool) subscriptionView {
	return subscriptionView{ProgramName: s.Settings.ProgramName, Subscribed: subscribed}
}
