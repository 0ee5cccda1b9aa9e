package notification

import (
	"context"
	"encoding/json"
	"time"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// storeLimit is the timeout for storing the outcome of a call, also during shutdown.
const storeLimit = 10 * time.Second

// message is the body of a call of the gateway, with the notifications in the default language.
type message struct {
	PushID        string `json:"pushId"`
	StoreCode     string `json:"storeCode"`
	Notifications []sent `json:"notifications"`
}

type sent struct {
	CustomerID string `json:"customerId"`
	view
}

// Send is the job that calls the gateway of a store with the pushes that are due, one after the
// other, and returns how many are settled. After a failure the rest waits for the next run. A call
// whose outcome could not be stored is repeated with the same id.
func Send(client *outbound.Client) store.Work {
	return func(ctx context.Context, d *db.DB, s *store.Store) (calls int64, err error) {
		for delivered := true; delivered && err == nil && ctx.Err() == nil; {
			delivered, err = sendNext(ctx, d, client, s)
			if delivered {
				calls++
			}
		}
		return calls, err
	}
}

// sendNext makes the next call of a store, if one is due, and reports whether to go on with another
// one.
func sendNext(ctx context.Context, d *db.DB, client *outbound.Client, s *store.Store) (delivered bool, err error) {
	var gateway Gateway
	var next Push
	var m message
	found, configured := false, false
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		if next, found, err = nextDue(tx, s.Key); err != nil || !found {
			return err
		}
		if gateway, configured, err = findGateway(tx, s.Key); err != nil || !gateway.Active {
			return err
		}
		m, err = messageOf(tx, s, &next)
		return err
	})
	if err != nil || !found {
		return false, err
	}
	if !configured {
		return abandonAll(ctx, d, s)
	}
	if !gateway.Active {
		return false, nil
	}
	o := outbound.Outcome{Problem: "the notifications are gone", Hopeless: true}
	if len(m.Notifications) > 0 {
		o = call(ctx, d.Now(), client, &gateway, m)
	}
	if ctx.Err() != nil && !o.OK() {
		return false, nil // interrupted: it is still due
	}
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	err = d.Write(storing, func(tx *db.Tx) error { return settle(tx, &next, o) })
	return o.OK() || o.Hopeless, err
}

func abandonAll(ctx context.Context, d *db.DB, s *store.Store) (bool, error) {
	for n := int64(1); n > 0 && ctx.Err() == nil; {
		err := d.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = abandon(tx, s.Key)
			return err
		})
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

func messageOf(tx *db.Tx, s *store.Store, p *Push) (message, error) {
	m := message{PushID: p.ID, StoreCode: s.Code}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return m, err
	}
	locale := api.Locale{Wanted: languages.Default(), Default: languages.Default()}
	found, err := pick(tx, s.Key, p.Items)
	if err == nil {
		err = translate(tx, s.Key, locale, found)
	}
	for i := range found {
		m.Notifications = append(m.Notifications, sent{found[i].CustomerID, viewOf(s, locale, &found[i])})
	}
	return m, err
}

// call sends a message, signed like a web hook.
func call(ctx context.Context, now time.Time, client *outbound.Client, g *Gateway, m message) outbound.Outcome {
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
