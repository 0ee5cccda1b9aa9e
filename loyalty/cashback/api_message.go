package cashback

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/store"
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
		{Method: "GET", Path: all, Access: view, Handle: listMessages, Summary: "List the messages to the payment provider",
			Query: api.PageQuery(map[string]string(nil), stateFilter), Answer: messageList{}},
		{Method: "POST", Path: all + "/{message}/retry", Access: modify, Handle: retryMessage,
			Summary: "Send a message to the payment provider again that failed", Answer: messageView{}},
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

func stateFilter(q *form.Group) { q.Choice("state", MessageStates) }

func listMessages(c *api.Call) error {
	asked, err := c.ListRequest()
	if err != nil {
		return err
	}
	state, err := asked.Choice("state", MessageStates)
	if err != nil {
		return err
	}
	answer := messageList{Messages: []messageView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := messageTable.List(tx, delivery.Receiver{StoreKey: c.Store.Key}, state, asked.Limit, asked.Offset)
		for i := range found {
			answer.Messages = append(answer.Messages, viewOf(c.Store, &found[i]))
		}
		answer.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func retryMessage(c *api.Call) error {
	var m *Message
	err := c.Write(func(tx *db.Tx) (err error) {
		m, err = Resend(tx, c.Store.Key, c.PathValue("message"))
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(viewOf(c.Store, m))
}
