package cashback

import (
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// messageEndpoints returns the endpoints that list and retry messages to payment providers.
func messageEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const all = "/api/{storeCode}/admin/campaign/cashback/messages"
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Handle: listMessages, Summary: "List the messages to the payment provider",
			Query: api.DeliveryQuery(messageTable), Response: messageList{}},
		{Method: "POST", Path: all + "/{message}/retry", Access: modify, Handle: retryMessage,
			Summary: "Send a message to the payment provider again that failed", Response: messageView{}},
	}
}

type messageList struct {
	Messages []messageView `json:"messages"`
	Total    int           `json:"total"` // up to delivery.CountLimit
}

type messageView struct {
	ID         string             `json:"messageId"` // the requestGuid
	OrderID    string             `json:"orderId"`
	CustomerID string             `json:"customerId"`
	CouponID   string             `json:"couponId"`
	Amount     decimal.Hundredths `json:"amount"`
	Currency   string             `json:"currency"`
	api.AttemptState
}

func viewOf(of *store.Store, m *Message) messageView {
	return messageView{
		ID: m.ID, OrderID: orderID(m.CustomerID, m.CouponID), CustomerID: m.CustomerID, CouponID: m.CouponID,
		Amount: m.Amount, Currency: of.Currency, AttemptState: api.AttemptStateOf(&m.Progress, of.Zone),
	}
}

func listMessages(c *api.Call) error {
	views, total, err := api.Deliveries(c, messageTable, nil, func(m *Message) messageView {
		return viewOf(c.Store, m)
	})
	if err != nil {
		return err
	}
	return c.OK(messageList{views, total})
}

func retryMessage(c *api.Call) error {
	var m *Message
	err := c.Write(func(tx *db.Tx) (err error) {
		m, err = Resend(tx, c.Store.Key, strings.ToLower(c.PathValue("message")))
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(viewOf(c.Store, m))
}
