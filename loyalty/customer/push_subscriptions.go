package customer

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// PushSubscriptionLimit is how many browsers of a customer get push messages. One more replaces the one that subscribed
// first.
const PushSubscriptionLimit = 5

// PushSubscription is a browser of a customer that gets push messages.
type PushSubscription struct {
	storeKey     int64
	ID           string // PushSubscriptionID of the endpoint
	CustomerID   string
	Endpoint     string // at the push service of the browser's maker; a secret, by which anybody can disturb the customer
	P256dh, Auth string // the keys that messages are encrypted for, base64url
	SubscribedAt time.Time
}

// PushSubscriptionID returns the id of the browser with an endpoint.
func PushSubscriptionID(endpoint string) string {
	hash := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(hash[:])
}

var subscriptionTable = db.NewTable("push_subscriptions", "store_id, subscription_id",
	func(p *PushSubscription) db.Row {
		return db.Row{
			"store_id", &p.storeKey, "subscription_id", &p.ID, "customer_id", &p.CustomerID, "endpoint", &p.Endpoint,
			"p256dh", &p.P256dh, "auth", &p.Auth, "subscribed_at", db.Time(&p.SubscribedAt),
		}
	})

// AddPushSubscription subscribes a browser of a locked customer, or stores its new keys. A browser belongs to the
// customer who subscribed last.
func AddPushSubscription(tx *db.Tx, c *Customer, p *PushSubscription) error {
	if !c.AnonymizedAt.IsZero() {
		return ErrAnonymized
	}
	p.storeKey, p.ID, p.CustomerID, p.SubscribedAt = c.StoreKey, PushSubscriptionID(p.Endpoint), c.ID, tx.Now()
	if err := subscriptionTable.Put(tx, p); err != nil {
		return err
	}
	all, err := PushSubscriptions(tx, c.StoreKey, c.ID)
	for len(all) > PushSubscriptionLimit && err == nil {
		err = RemovePushSubscription(tx, c.StoreKey, &all[0])
		all = all[1:]
	}
	return err
}

// RemovePushSubscription removes a browser of a customer, unless its key has changed. Repeating it has no further
// effect.
func RemovePushSubscription(tx *db.Tx, storeKey int64, p *PushSubscription) error {
	_, err := tx.Exec(`DELETE FROM push_subscriptions
		WHERE store_id = ? AND subscription_id = ? AND customer_id = ? AND p256dh = ?`,
		storeKey, p.ID, p.CustomerID, p.P256dh)
	return err
}

// FindPushSubscription finds a browser of a customer.
func FindPushSubscription(tx *db.Tx, storeKey int64, customerID, id string) (PushSubscription, bool, error) {
	return subscriptionTable.One(tx, `SELECT * FROM push_subscriptions
		WHERE store_id = ? AND subscription_id = ? AND customer_id = ?`, storeKey, id, customerID)
}

// PushSubscriptions lists the browsers of some customers, those of each in the order in which they subscribed: at
// most PushSubscriptionLimit of each.
func PushSubscriptions(tx *db.Tx, storeKey int64, customerIDs ...string) ([]PushSubscription, error) {
	return subscriptionTable.All(tx, `SELECT p.* FROM ? AS v (store, id)
		CROSS JOIN push_subscriptions p
		WHERE p.store_id = v.store AND p.customer_id = v.id ORDER BY customer_id, subscribed_at, subscription_id`,
		tx.Among(storeKey, customerIDs...))
}

// CountPushSubscriptions counts the browsers of all customers of a store, up to a limit.
func CountPushSubscriptions(tx *db.Tx, storeKey int64, limit int) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM
		(SELECT 1 FROM push_subscriptions WHERE store_id = ? LIMIT ?) AS counted`, storeKey, limit)
}

func removePushSubscriptions(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM push_subscriptions WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

// exportedSubscription is a browser in the export of a customer's data, without its keys.
type exportedSubscription struct {
	ID           string `json:"subscriptionId"`
	Endpoint     string `json:"endpoint"`
	SubscribedAt string `json:"subscribedAt"`
}

// ExportPushSubscriptions lists the browsers of a customer for the export of their data.
func ExportPushSubscriptions(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	all, err := PushSubscriptions(tx, s.Key, customerID)
	for _, p := range all {
		items = append(items, exportedSubscription{p.ID, p.Endpoint, api.Timestamp(p.SubscribedAt, s.Zone)})
	}
	return items, "", err
}
