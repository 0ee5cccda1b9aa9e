package cashback

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/delivery"
	"punchcard/platform/form"
)

// messageEndpoints returns the endpoints that list and retry messages to payment providers.
func messageEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const all = "/api/{storeCode}/admin/campaign/cashback/messages"
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Do: api.Read(api.InCall(describeMessages, readMessages), listMessages),
			Summary: "List the messages to the payment provider"},
		{Method: "POST", Path: all + "/{message}/retry", Access: modify, Factor: api.Everyday, Do: api.Act(retryMessage),
			Summary: "Send a message to the payment provider again that failed",
			Audit:   api.Audited("RetryCashbackMessage", "cashback")},
	}
}

func describeMessages(q *form.Group) {
	api.DeliveryQuery(messageTable.States)(q)
	q.Checkbox("includeDetails")
}

type messageList struct {
	Messages []messageView `json:"messages"`
	Total    int           `json:"total"` // up to delivery.CountLimit
}

type messageView struct {
	ID         string        `json:"messageId"` // the requestGuid
	OrderID    string        `json:"orderId"`
	CustomerID string        `json:"customerId"`
	CouponID   string        `json:"couponId"`
	Amount     decimal.Money `json:"amount"`
	Currency   string        `json:"currency"`
	api.AttemptState
	Customer *messageCustomer `json:"customer,omitempty"` // with includeDetails, unless they are deleted
}

// messageCustomer is the customer who gets the money.
type messageCustomer struct {
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"email,omitempty"`
	Phone     string `json:"phone,omitempty"`
}

func newView(of *store.Store, m *Message) messageView {
	return messageView{
		ID: m.ID, OrderID: orderID(m.CustomerID, m.CouponID), CustomerID: m.CustomerID, CouponID: m.CouponID,
		Amount: m.Amount, Currency: of.Currency, AttemptState: api.AttemptStateOf(&m.Progress, of.Zone),
	}
}

// messagePage asks for a page of messages, with their customers or without.
type messagePage struct {
	api.DeliveryPage
	detailed bool
}

func readMessages(c *api.Call) (page messagePage, err error) {
	query, err := c.Query()
	if err != nil {
		return page, err
	}
	page.detailed, _ = form.ParseBool(query.Child("includeDetails").Text())
	page.DeliveryPage, err = c.DeliveryPage(messageTable.States)
	return page, err
}

func listMessages(r *api.Reading, page messagePage) (list messageList, err error) {
	ofStore := delivery.Receiver{StoreKey: r.Store.Key}
	list.Messages, list.Total, err = api.Deliveries(r.Tx, messageTable, ofStore, page.DeliveryPage,
		func(m *Message) messageView { return newView(r.Store, m) })
	if err == nil && page.detailed {
		err = addCustomers(r.Tx, r.Store.Key, list.Messages)
	}
	return list, err
}

func addCustomers(tx *db.Tx, storeKey int64, views []messageView) error {
	if len(views) == 0 {
		return nil
	}
	ids := make([]string, len(views))
	for i := range views {
		ids[i] = views[i].CustomerID
	}
	customers, err := customer.FindAll(tx, storeKey, db.Distinct(ids)...)
	for i := range views {
		if of := customers[views[i].CustomerID]; of != nil && of.Status != customer.Deleted {
			views[i].Customer = &messageCustomer{of.FirstName, of.LastName, of.Email, of.Phone}
		}
	}
	return err
}

func retryMessage(w *api.Writing) (messageView, error) {
	m, err := Resend(w.Tx, w.Store.Key, w.PathID("message"))
	if err != nil {
		return messageView{}, err
	}
	return newView(w.Store, m), nil
}
