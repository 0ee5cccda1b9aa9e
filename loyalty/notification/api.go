package notification

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// Endpoints returns the endpoints of inboxes, announcements and the gateway. client calls the
// gateways, and decides which addresses are allowed.
func Endpoints(client *outbound.Client) []api.Endpoint {
	own, campaigns := access.Only(access.Customer), access.AdministratorWith(access.RewardCampaigns, access.View)
	settings := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	d := desk{client}
	const ofStore = "/api/{storeCode}/"
	const inbox, gateway = ofStore + "customer/notification", ofStore + "admin/notification/gateway"
	query := api.ListQuery[string](nil, func(q *form.Group) { q.Checkbox("unread") })
	return []api.Endpoint{
		{Method: "GET", Path: inbox, Access: own, Handle: listOwn,
			Summary: "List own notifications, the newest first", Query: query, Response: list{}},
		{Method: "POST", Path: inbox + "/read", Access: own, Factor: api.Own, Handle: readAll,
			Summary: "Mark all notifications as read", Response: api.NoContent{},
			Audit: api.Audited("ReadNotification", "notification")},
		{Method: "POST", Path: inbox + "/{notification}/read", Access: own, Factor: api.Own, Handle: readOne,
			Summary: "Mark a notification as read", Response: api.NoContent{},
			Audit: api.Audited("ReadNotification", "notification")},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/notification",
			Access: access.AdministratorWith(access.Customers, access.View), Handle: listOfCustomer,
			Summary: "List the notifications of a customer, the newest first", Query: query, Response: list{}},
		{Method: "GET", Path: ofStore + "admin/notification/campaigns", Access: campaigns, Handle: listAnnouncements,
			Summary:  "List the progress of notifying customers of campaigns",
			Query:    api.ListQuery[string](nil, func(q *form.Group) { q.Checkbox("includeNames") }),
			Response: announcementList{}},
		{Method: "GET", Path: ofStore + "campaign/{campaign}/notification", Access: campaigns, Handle: getAnnouncement,
			Summary: "Show the progress of notifying customers of a campaign", Response: announcementView{}},
		{Method: "GET", Path: gateway, Access: settings, Handle: getGateway,
			Summary: "Show where notifications are sent to", Response: gatewayView{}},
		{Method: "PUT", Path: gateway, Access: modify, Factor: api.Always, Handle: d.putGateway,
			Summary: "Set where notifications are sent to", Form: d.describe, Response: gatewayView{},
			Audit: api.Audited("UpdateNotificationGateway", "settings"), Secrets: []string{"signingSecret"}},
		{Method: "DELETE", Path: gateway, Access: modify, Factor: api.Always, Handle: removeGateway,
			Summary: "Send notifications nowhere", Response: api.NoContent{},
			Audit: api.Audited("DeleteNotificationGateway", "settings")},
		{Method: "POST", Path: gateway + "/test", Access: modify, Factor: api.Everyday, Handle: d.testGateway,
			Summary: "Call the gateway with no notifications", Response: testResult{}, Unkeyed: true,
			Audit: api.Audited("TestNotificationGateway", "settings"), NoDryRun: api.CallsProvider},
		{Method: "GET", Path: ofStore + "admin/notification/pushes", Access: settings, Handle: listPushes,
			Summary: "List the calls of the gateway, the newest first", Response: pushList{},
			Query: api.DeliveryQuery(pushes)},
	}
}

var errNotifications = fault.New(fault.Forbidden, "notifications_not_permitted",
	"The gateway gets the notifications of customers, which needs the permission CUSTOMER VIEW.")

// desk handles the endpoints that check which addresses may be called.
type desk struct{ client *outbound.Client }

func listOwn(c *api.Call) error {
	return listOf(c, func(*db.Tx) (string, error) { return c.Caller.ID, nil })
}

func listOfCustomer(c *api.Call) error {
	return listOf(c, func(tx *db.Tx) (string, error) {
		who, err := customer.Of(c, tx)
		if err != nil {
			return "", err
		}
		return who.ID, nil
	})
}

func listOf(c *api.Call, of func(tx *db.Tx) (customerID string, err error)) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	unread, _ := form.ParseBool(request.Query.Child("unread").Text())
	response := list{Notifications: []view{}}
	err = c.Read(func(tx *db.Tx) error {
		customerID, err := of(tx)
		if err != nil {
			return err
		}
		inbox, err := inboxOf(tx, c.Store.Key, customerID, "")
		if err != nil {
			return err
		}
		if response.Total, response.Unread = inbox.Total, inbox.Unread; unread {
			response.Total = inbox.Unread
		}
		found, err := readPage(tx, c.Store.Key, customerID, unread, request.Limit, request.Offset)
		if err == nil {
			err = translate(tx, c.Store.Key, request.Locale, found)
		}
		if err != nil {
			return err
		}
		t, err := textsOf(tx, c.Store, template.Inbox, request.Locale, found)
		if err != nil {
			return err
		}
		for i := range found {
			response.Notifications = append(response.Notifications, newView(c.Store, t, &found[i]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func readAll(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error { return ReadAll(tx, c.Store.Key, c.Caller.ID) }, c.NoContent)
}

func readOne(c *api.Call) error {
	id := strings.ToLower(c.PathValue("notification"))
	if !form.IsUUID(id) {
		return fault.ErrNotFound
	}
	return c.Write(func(tx *db.Tx) error { return Read(tx, c.Store.Key, c.Caller.ID, id) }, c.NoContent)
}

func listAnnouncements(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	named, _ := form.ParseBool(request.Query.Child("includeNames").Text())
	response := announcementList{Campaigns: []announcementView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := announcements(tx, c.Store.Key, request.Limit, request.Offset)
		if err != nil {
			return err
		}
		names := map[string]string{}
		if named && len(found) > 0 {
			ids := make([]string, len(found))
			for i := range found {
				ids[i] = found[i].CampaignID
			}
			names, err = campaign.Names(tx, c.Store.Key, request.Locale, ids...)
		}
		for i := range found {
			view := announcementViewOf(c.Store, &found[i])
			view.Name = names[found[i].CampaignID]
			response.Campaigns = append(response.Campaigns, view)
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getAnnouncement(c *api.Call) error {
	id, err := campaign.PathID(c)
	if err != nil {
		return err
	}
	var response announcementView
	err = c.Read(func(tx *db.Tx) error {
		found, known, err := findAnnouncement(tx, c.Store.Key, id)
		if err == nil && !known {
			err = fault.ErrNotFound
		}
		response = announcementViewOf(c.Store, &found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getGateway(c *api.Call) error {
	var g Gateway
	err := c.Read(func(tx *db.Tx) (err error) {
		g, _, err = findGateway(tx, c.Store.Key)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(gatewayView{URL: g.URL, Active: g.Active})
}

func (d desk) describe(g *form.Group) { d.read(g.Group("notificationGateway")) }

var errSecret = fault.New(fault.Fields, "not_a_signing_secret", "This value is not a valid signing secret.")

// read reads a gateway. An empty secret keeps the present one, or makes a new one if there is none.
func (d desk) read(g *form.Group) Gateway {
	return Gateway{
		URL: g.Text("url", d.client.URLRules(form.NotBlank)...),
		Secret: g.Verbatim("secret", form.Matches(errSecret, func(text string) bool {
			return text == "" || outbound.IsSecret(text)
		})),
		Active: g.Checkbox("active"),
	}
}

// putGateway needs the permission for what the gateway gets: the notifications of customers.
func (d desk) putGateway(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "notificationGateway")
	g := d.read(group)
	if err := group.Err(); err != nil {
		return err
	}
	if !c.Caller.Allowed(access.Customers, access.View) {
		return errNotifications
	}
	response := gatewayView{URL: g.URL, Active: g.Active}
	return c.Write(func(tx *db.Tx) error {
		response.Secret, err = setGateway(tx, c.Store.Key, g)
		return err
	}, func() error { return c.OK(response) })
}

// setGateway stores a gateway. It returns the secret if it generated one.
func setGateway(tx *db.Tx, storeKey int64, g Gateway) (made string, err error) {
	if _, err := store.Lock(tx, storeKey); err != nil { // concurrent calls generate only one secret
		return "", err
	}
	old, _, err := findGateway(tx, storeKey)
	if err != nil {
		return "", err
	}
	g.StoreKey = storeKey
	switch {
	case g.Secret != "":
	case old.Secret != "":
		g.Secret = old.Secret
	default:
		made = outbound.NewSecret()
		g.Secret = made
	}
	return made, saveGateway(tx, &g)
}

func removeGateway(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error { return deleteGateway(tx, c.Store.Key) }, c.NoContent)
}

func listPushes(c *api.Call) error {
	views, total, err := api.Deliveries(c, pushes, nil, func(p *Push) pushView { return pushViewOf(c.Store, p) })
	if err != nil {
		return err
	}
	return c.OK(pushList{views, total})
}
