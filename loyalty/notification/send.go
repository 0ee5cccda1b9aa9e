package notification

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// gatewayCall is the body of a call of the gateway, with the notifications in the default language.
type gatewayCall struct {
	PushID        string `json:"pushId"`
	StoreCode     string `json:"storeCode"`
	Notifications []sent `json:"notifications"`
}

type sent struct {
	CustomerID string `json:"customerId"`
	Title      string `json:"title,omitempty"`
	view
}

// gatewaysAtOnce is the maximum number of gateways that are called concurrently.
const gatewaysAtOnce = 16

// Send is the job that calls the gateways of all stores with the pushes that are due, and returns
// how many it delivered or found to be empty. The calls of a store are made one after the other.
// After a failure the rest waits for the next run.
func Send(d *db.DB, stores *store.Directory, client *outbound.Client) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (calls int64, err error) {
		s := &sender{db: d, stores: stores, client: client, failed: map[int64]bool{}}
		err = delivery.NewSender(d, delivery.Queue[Push]{
			Name: "notification pushes", Table: pushes, Calls: gatewaysAtOnce, Receivers: gatewaysAtOnce,
			Due: s.due, Settle: settleAttempt,
		}).Settle(ctx)
		return s.calls, err
	}
}

// sender is one run of Send.
type sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client

	mutex  sync.Mutex
	calls  int64
	failed map[int64]bool // stores whose gateway failed in this run
}

// due returns the stores that have pushes due and an active gateway that did not fail in this run.
// It abandons the pushes of stores whose gateway was removed.
func (s *sender) due(ctx context.Context) (to []delivery.Recipient[Push], err error) {
	var keys, removed []int64
	gateways := map[int64]Gateway{}
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		keys, err = pushes.StoresDue(tx)
		for _, key := range keys {
			g, configured, err := findGateway(tx, key)
			if err != nil {
				return err
			}
			if gateways[key] = g; !configured {
				removed = append(removed, key)
			}
		}
		return err
	})
	for _, key := range removed {
		if err == nil {
			err = abandonAll(ctx, s.db, key)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		of, found, err := s.stores.ByKey(ctx, key)
		if err != nil {
			return nil, err
		}
		if gateway := gateways[key]; found && gateway.Active && !s.hasFailed(key) {
			to = append(to, delivery.Recipient[Push]{
				Receiver: delivery.Receiver{StoreKey: key}, Calls: 1,
				Call: func(ctx context.Context, p *Push) (outbound.Outcome, error) { return s.send(ctx, of, &gateway, p) },
			})
		}
	}
	return to, nil
}

func (s *sender) hasFailed(storeKey int64) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.failed[storeKey]
}

// send makes an attempt.
func (s *sender) send(ctx context.Context, of *store.Store, g *Gateway, p *Push) (o outbound.Outcome, err error) {
	var m gatewayCall
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		m, err = messageOf(tx, of, p)
		return err
	})
	switch {
	case err != nil:
	case len(m.Notifications) == 0:
		o = outbound.Outcome{Problem: "the notifications are gone", Hopeless: true}
	default:
		o = call(ctx, s.db.Now(), s.client, g, m)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err == nil && (o.OK() || o.Hopeless) {
		s.calls++
	} else {
		s.failed[p.StoreKey] = true
	}
	return o, err
}

// abandonAll marks all pushes of a store without a gateway as dead.
func abandonAll(ctx context.Context, d *db.DB, storeKey int64) error {
	for n := int64(removedAtOnce); n == removedAtOnce; {
		err := d.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = abandon(tx, storeKey)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func messageOf(tx *db.Tx, s *store.Store, p *Push) (gatewayCall, error) {
	m := gatewayCall{PushID: p.ID, StoreCode: s.Code}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return m, err
	}
	locale := api.Locale{Wanted: languages.Default(), Default: languages.Default()}
	found, err := pick(tx, s.Key, p.Items)
	if err == nil {
		err = translate(tx, s.Key, locale, found)
	}
	if err != nil {
		return m, err
	}
	t, err := textsOf(tx, s, template.Push, locale, found)
	if err != nil {
		return m, err
	}
	for i := range found {
		n := &found[i]
		m.Notifications = append(m.Notifications, sent{n.CustomerID, t.of(n).Subject, newView(s, t, n)})
	}
	return m, nil
}

// call sends a message, signed like a web hook.
func call(ctx context.Context, now time.Time, client *outbound.Client, g *Gateway, m gatewayCall) outbound.Outcome {
	body, err := json.Marshal(m)
	if err != nil {
		return outbound.Outcome{Problem: err.Error(), Hopeless: true}
	}
	request := outbound.Call{URL: g.URL, Body: body}
	if request.Header, err = outbound.Sign(m.PushID, now, body, g.Secret); err != nil {
		return outbound.Outcome{Problem: err.Error()}
	}
	return client.Try(ctx, request, "gateway")
}
