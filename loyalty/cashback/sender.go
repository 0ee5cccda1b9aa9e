package cashback

import (
	"context"
	"encoding/json"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// The limits of one node.
const (
	StoresAtOnce  = 16 // stores whose providers are called concurrently
	CallsPerStore = 8  // concurrent calls to a store's provider
)

// sender sends payment orders to the providers of all stores.
type sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
}

// NewSender returns a sender of payment orders. Every node runs one.
func NewSender(d *db.DB, stores *store.Directory, client *outbound.Client) *delivery.Sender[Message] {
	s := &sender{db: d, stores: stores, client: client}
	return delivery.NewSender(d, delivery.Queue[Message]{
		Name: "cashback messages", Table: messageTable, Calls: StoresAtOnce * CallsPerStore, Receivers: StoresAtOnce,
		Due: s.due, Settle: s.settle,
		CountInterrupted: true, // the provider may have moved the money
	})
}

// due returns the stores that have messages due.
func (s *sender) due(ctx context.Context) (to []delivery.Recipient[Message], err error) {
	var keys []int64
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		keys, err = messageTable.StoresDue(tx)
		return err
	})
	for _, key := range keys {
		of, found, err := s.stores.ByKey(ctx, key)
		if err != nil {
			return nil, err
		}
		if found {
			to = append(to, delivery.Recipient[Message]{
				Receiver: delivery.Receiver{StoreKey: key}, Calls: CallsPerStore,
				Call: func(ctx context.Context, m *Message) (outbound.Outcome, error) { return s.call(ctx, of, m), nil },
			})
		}
	}
	return to, err
}

// settle stores the outcome of an attempt, unless a callback or another attempt came first.
func (s *sender) settle(tx *db.Tx, m *Message, o outbound.Outcome) error {
	after, stored, err := messageTable.Settle(tx, m, o)
	if stored && after.State == Unsent {
		tx.AfterCommit(func() {
			s.db.Log().Warn("cashback message failed", "message", m.ID, "reason", after.Error)
		})
	}
	return err
}

// order is the body of a message. A provider's callback repeats its first three members.
type order struct {
	Type        string        `json:"type"`
	RequestGUID string        `json:"requestGuid"`
	OrderID     string        `json:"orderId"`
	Amount      decimal.Money `json:"amount"`
	Currency    string        `json:"currency"`
	Metadata    metadata      `json:"metadata"`
}

type metadata struct {
	StoreCode string `json:"storeCode"` // for the path of the callback
}

const orderType = "cashback"

// call sends a message. A message that the provider refuses is not sent again.
func (s *sender) call(ctx context.Context, of *store.Store, m *Message) outbound.Outcome {
	if of.Settings.CashbackProviderURL == "" {
		return outbound.Outcome{Problem: "the store has no payment provider"}
	}
	call := outbound.Call{URL: of.Settings.CashbackProviderURL}
	var err error
	call.Body, err = json.Marshal(order{
		Type: orderType, RequestGUID: m.ID, OrderID: orderID(m.CustomerID, m.CouponID), Amount: m.Amount,
		Currency: of.Currency, Metadata: metadata{of.Code},
	})
	if err == nil {
		call.Header, err = outbound.Sign(m.ID, s.db.Now(), call.Body, of.Settings.CashbackProviderSecret)
	}
	if err != nil {
		return outbound.Outcome{Problem: err.Error()}
	}
	o := s.client.Try(ctx, call, "provider")
	o.Hopeless = o.Refused
	return o
}
