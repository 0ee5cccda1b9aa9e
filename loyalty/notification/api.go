package notification

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of inboxes, announcements and the gateway.
func Endpoints(messages *message.Config) []api.Endpoint {
	own, campaigns := access.Only(access.Customer), access.AdministratorWith(access.RewardCampaigns, access.View)
	settings := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	const ofStore = "/api/{storeCode}/"
	const inbox, gateway = ofStore + "customer/notification", ofStore + "admin/notification/gateway"
	inList := api.InList[string](nil, func(q *form.Group) { q.Checkbox("unread") })
	inNames := api.InList[string](nil, func(q *form.Group) { q.Checkbox("includeNames") })
	return []api.Endpoint{
		{Method: "GET", Path: inbox, Access: own, Do: api.Read(inList, listOwn),
			Summary: "List own notifications, the newest first"},
		{Method: "POST", Path: inbox + "/read", Access: own, Factor: api.Own, Do: api.Act(readAll),
			Summary: "Mark all notifications as read", Audit: api.Audited("ReadNotification", "notification")},
		{Method: "POST", Path: inbox + "/{notification}/read", Access: own, Factor: api.Own, Do: api.Act(readOne),
			Summary: "Mark a notification as read", Audit: api.Audited("ReadNotification", "notification")},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/notification",
			Access: access.AdministratorWith(access.Customers, access.View), Do: api.Read(inList, listOfCustomer),
			Summary: "List the notifications of a customer, the newest first"},
		{Method: "GET", Path: ofStore + "admin/notification/campaigns", Access: campaigns,
			Do: api.Read(inNames, listAnnouncements), Summary: "List the progress of notifying customers of campaigns"},
		{Method: "GET", Path: ofStore + "campaign/{campaign}/notification", Access: campaigns,
			Do: api.Show(showAnnouncement), Summary: "Show the progress of notifying customers of a campaign"},
		{Method: "GET", Path: gateway, Access: settings, Do: api.Show(showGateway),
			Summary: "Show where notifications are sent to"},
		{Method: "PUT", Path: gateway, Access: modify, Factor: api.Always,
			Do:      api.Write(api.Body("notificationGateway", messages.ReadNotificationGateway), changeGateway),
			Summary: "Set where notifications are sent to",
			Audit:   api.Audited("UpdateNotificationGateway", "settings"), Secrets: []string{"signingSecret"}},
		{Method: "DELETE", Path: gateway, Access: modify, Factor: api.Always, Do: api.Act(removeGateway),
			Summary: "Send notifications nowhere", Audit: api.Audited("DeleteNotificationGateway", "settings")},
		{Method: "POST", Path: gateway + "/test", Access: modify, Factor: api.Everyday, Do: api.Tell(gateways{messages}.test),
			Summary: "Call the gateway with no notifications", Unkeyed: true,
			Audit: api.Audited("TestNotificationGateway", "settings"), NoDryRun: api.CallsProvider},
		{Method: "GET", Path: ofStore + "admin/notification/pushes", Access: settings,
			Do:      api.Read(api.InDeliveries(shownStates), listPushes),
			Summary: "List the calls of the gateway, the newest first"},
	}
}

var errNotifications = fault.New(fault.Forbidden, "notifications_not_permitted",
	"The gateway gets the notifications of customers, which needs the permission CUSTOMER VIEW.")

func listOwn(r *api.Reading, request api.ListRequest) (list, error) {
	return listOf(r, request, r.Caller.ID)
}

func listOfCustomer(r *api.Reading, request api.ListRequest) (list, error) {
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return list{}, err
	}
	return listOf(r, request, who.ID)
}

func listOf(r *api.Reading, request api.ListRequest, customerID string) (list, error) {
	unread, _ := form.ParseBool(request.Query.Child("unread").Text())
	response := list{Notifications: []view{}}
	inbox, err := inboxOf(r.Tx, r.Store.Key, customerID, "")
	if err != nil {
		return response, err
	}
	if response.Total, response.Unread = inbox.Total, inbox.Unread; unread {
		response.Total = inbox.Unread
	}
	found, err := readPage(r.Tx, r.Store.Key, customerID, unread, request.Limit, request.Offset)
	if err == nil {
		err = translate(r.Tx, r.Store.Key, request.Locale, found)
	}
	if err != nil {
		return response, err
	}
	t, err := textsOf(r.Tx, r.Store, template.Inbox, request.Locale, found)
	if err != nil {
		return response, err
	}
	for i := range found {
		response.Notifications = append(response.Notifications, newView(r.Store, t, &found[i]))
	}
	return response, nil
}

func readAll(w *api.Writing) (api.NoContent, error) {
	return api.NoContent{}, ReadAll(w.Tx, w.Store.Key, w.Caller.ID)
}

func readOne(w *api.Writing) (api.NoContent, error) {
	id, err := w.PathUUID("notification")
	if err != nil {
		return api.NoContent{}, err
	}
	return api.NoContent{}, Read(w.Tx, w.Store.Key, w.Caller.ID, id)
}

func listAnnouncements(r *api.Reading, request api.ListRequest) (announcementList, error) {
	named, _ := form.ParseBool(request.Query.Child("includeNames").Text())
	list := announcementList{Campaigns: []announcementView{}}
	found, total, err := announcements(r.Tx, r.Store.Key, request.Limit, request.Offset)
	if list.Total = total; err != nil {
		return list, err
	}
	names := map[string]string{}
	if named && len(found) > 0 {
		ids := make([]string, len(found))
		for i := range found {
			ids[i] = found[i].CampaignID
		}
		names, err = campaign.Names(r.Tx, r.Store.Key, request.Locale, ids...)
	}
	for i := range found {
		view := announcementViewOf(r.Store, &found[i])
		view.Name = names[found[i].CampaignID]
		list.Campaigns = append(list.Campaigns, view)
	}
	return list, err
}

func showAnnouncement(r *api.Reading) (announcementView, error) {
	id, err := campaign.PathID(r.Call)
	if err != nil {
		return announcementView{}, err
	}
	found, known, err := findAnnouncement(r.Tx, r.Store.Key, id)
	if err == nil && !known {
		err = fault.ErrNotFound
	}
	return announcementViewOf(r.Store, &found), err
}

func showGateway(r *api.Reading) (gatewayView, error) {
	g, _, err := message.FindNotificationGateway(r.Tx, r.Store.Key)
	return gatewayView{URL: g.URL, Active: g.Active}, err
}

// changeGateway needs the permission for what the gateway gets: the notifications of customers.
func changeGateway(w *api.Writing, g message.NotificationGateway) (gatewayView, error) {
	if !w.Caller.Allowed(access.Customers, access.View) {
		return gatewayView{}, errNotifications
	}
	g.StoreKey = w.Store.Key
	made, err := message.SetNotificationGateway(w.Tx, g)
	return gatewayView{URL: g.URL, Active: g.Active, Secret: made}, err
}

func removeGateway(w *api.Writing) (api.NoContent, error) {
	return api.NoContent{}, message.RemoveNotificationGateway(w.Tx, w.Store.Key)
}

// gateways handles the endpoints that call the gateway of a store.
type gateways struct{ *message.Config }

// test calls the gateway at once, also one that is switched off.
func (m gateways) test(c *api.Call) (testResult, error) {
	var g message.NotificationGateway
	err := c.Read(func(tx *db.Tx) (err error) {
		found := false
		if g, found, err = message.FindNotificationGateway(tx, c.Store.Key); err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	if err != nil {
		return testResult{}, err
	}
	id, o := m.TestNotificationGateway(c.Context(), c.DB().Now(), c.Store, &g)
	return testResult{PushID: id, Delivered: o.OK(), Status: o.Status, Error: o.Problem}, nil
}

func listPushes(r *api.Reading, page api.DeliveryPage) (list pushList, err error) {
	page.State = pushStates[page.State]
	list.Pushes, list.Total, err = api.Deliveries(r.Tx, message.Pushes, message.PushReceiver(r.Store.Key), page,
		func(d *message.Delivery) pushView { return pushViewOf(r.Store, d) })
	return list, err
}
