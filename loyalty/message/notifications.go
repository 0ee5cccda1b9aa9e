package message

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// notifications is the queue of the calls that push notifications to a gateway for them. Each has many of them, and is
// no message in lists.
const notifications = "notifications"

// PushLimit is the maximum number of notifications in one call of the gateway.
const PushLimit = 100

// Pushes is the table of calls of gateways for notifications. PushReceiver selects those of a store.
var Pushes = table

// PushReceiver identifies the gateway for the notifications of a store.
func PushReceiver(storeKey int64) delivery.Receiver {
	return delivery.Receiver{StoreKey: storeKey, ID: notifications}
}

// toNotifications reports whether the delivery is a call of the gateway for notifications. Its values are the customers
// of these by their ids.
func (d *Delivery) toNotifications() bool { return d.Queue == notifications }

// NotificationGateway is the address that a store's notifications are pushed to, besides the inboxes.
type NotificationGateway struct {
	StoreKey    int64
	URL, Secret string
	Active      bool
}

var notificationGateways = db.NewConfiguration("notification_gateways", "store_id",
	func(g *NotificationGateway) db.Row {
		return db.Row{"store_id", &g.StoreKey, "url", &g.URL, "secret", &g.Secret, "active", &g.Active}
	})

// FindNotificationGateway returns the gateway of a store. found is false if there is none.
func FindNotificationGateway(tx *db.Tx, storeKey int64) (g NotificationGateway, found bool, err error) {
	return notificationGateways.One(tx, `SELECT * FROM notification_gateways WHERE store_id = ?`, storeKey)
}

// ReadNotificationGateway reads a gateway. An empty secret keeps the present one.
func (c *Config) ReadNotificationGateway(g *form.Group) NotificationGateway {
	return NotificationGateway{
		URL: g.Text("url", c.HTTP.URLRules(form.NotBlank)...), Secret: readSecret(g), Active: g.Checkbox("active"),
	}
}

// SetNotificationGateway stores a gateway. Without a secret it keeps the present one or else makes one, which it
// returns.
func SetNotificationGateway(tx *db.Tx, g NotificationGateway) (made string, err error) {
	if _, err := store.Lock(tx, g.StoreKey); err != nil { // concurrent calls generate only one secret
		return "", err
	}
	old, _, err := FindNotificationGateway(tx, g.StoreKey)
	if err != nil {
		return "", err
	}
	calls := Gateway{URL: g.URL, Secret: g.Secret}
	made = calls.keepSecret(&Gateway{Secret: old.Secret})
	g.Secret = calls.Secret
	return made, notificationGateways.Put(tx, &g)
}

// RemoveNotificationGateway removes the gateway of a store. The calls that wait for it fail.
func RemoveNotificationGateway(tx *db.Tx, storeKey int64) error {
	_, err := tx.Exec(`DELETE FROM notification_gateways WHERE store_id = ?`, storeKey)
	return err
}

// PushNotifications queues calls of the gateway with notifications, given the customers of these by their ids.
func PushNotifications(tx *db.Tx, storeKey int64, customers map[string]string) error {
	var rows []*Delivery
	now := tx.ServerNow()
	for part := range slices.Chunk(slices.Sorted(maps.Keys(customers)), PushLimit) {
		d := &Delivery{
			StoreKey: storeKey, Queue: notifications, ID: tx.NewID(), Size: len(part), Values: map[string]string{},
			Progress: delivery.Progress{State: Waiting, CreatedAt: now, DueAt: now},
		}
		for _, id := range part {
			d.Values[id] = customers[id]
		}
		rows = append(rows, d)
	}
	return table.Insert(tx, rows...)
}

// push is the body of a call of the gateway for notifications.
type push struct {
	ID            string `json:"pushId"`
	StoreCode     string `json:"storeCode"`
	Notifications []any  `json:"notifications"`
}

// callForNotifications makes the call of a delivery, with the notifications that were not deleted meanwhile.
func (s *sender) callForNotifications(ctx context.Context, of *store.Store, d *Delivery) (outbound.Outcome, error) {
	call := push{ID: d.ID, StoreCode: of.Code}
	var g NotificationGateway
	err := store.Read(ctx, s.db, of, func(tx *db.Tx) (err error) {
		if g, _, err = FindNotificationGateway(tx, of.Key); err == nil {
			call.Notifications, err = s.Notifications(tx, of, d.Values)
		}
		return err
	})
	switch {
	case err != nil:
		return outbound.Outcome{}, err
	case g.URL == "":
		return outbound.Outcome{Problem: "the store has no gateway", Hopeless: true}, nil
	case len(call.Notifications) == 0:
		return outbound.Outcome{Problem: "the notifications are gone", Hopeless: true}, nil
	}
	return s.call(ctx, s.db.Now(), g.URL, g.Secret, call.ID, call), nil
}

// TestNotificationGateway calls a gateway at once without notifications, also one that is switched off, and returns the
// id of the call. Nothing is stored.
func (c *Config) TestNotificationGateway(ctx context.Context, now time.Time, of *store.Store, g *NotificationGateway) (
	id string, o outbound.Outcome) {
	id = "test_" + db.NewID()
	return id, c.call(ctx, now, g.URL, g.Secret, id, push{ID: id, StoreCode: of.Code, Notifications: []any{}})
}

// call posts JSON to a gateway, signed like a web hook.
func (c *Config) call(ctx context.Context, now time.Time, url, secret, id string, content any) outbound.Outcome {
	body, err := json.Marshal(content)
	if err != nil {
		return outbound.Outcome{Problem: err.Error(), Hopeless: true}
	}
	request := outbound.Call{URL: url, Body: body}
	if request.Header, err = outbound.Sign(id, now, body, secret); err != nil {
		return outbound.Outcome{Problem: err.Error()}
	}
	return c.HTTP.Try(ctx, request, "gateway")
}
