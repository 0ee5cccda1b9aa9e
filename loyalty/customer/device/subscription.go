package device

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// SubscriptionLimit is how many browsers of a customer get push messages. One more replaces the one that subscribed
// first.
const SubscriptionLimit = 5

// Subscription is a browser of a customer that gets push messages.
type Subscription struct {
	storeKey     int64
	ID           string // subscriptionID of the endpoint
	CustomerID   string
	Endpoint     string // at the push service of the browser's maker; a secret, by which anybody can disturb the customer
	P256dh, Auth string // the keys that messages are encrypted for, base64url
	SubscribedAt time.Time
}

// subscriptionID returns the id of the browser with an endpoint.
func subscriptionID(endpoint string) string {
	hash := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(hash[:])
}

var subscriptionTable = db.NewTable("push_subscriptions", "store_id, subscription_id",
	func(p *Subscription) db.Row {
		return db.Row{
			"store_id", &p.storeKey, "subscription_id", &p.ID, "customer_id", &p.CustomerID, "endpoint", &p.Endpoint,
			"p256dh", &p.P256dh, "auth", &p.Auth, "subscribed_at", db.Time(&p.SubscribedAt),
		}
	})

// AddSubscription subscribes a browser of a locked customer, or stores its new keys. A browser belongs to the
// customer who subscribed last.
func AddSubscription(tx *db.Tx, storeKey int64, customerID string, p *Subscription) error {
	p.storeKey, p.ID, p.CustomerID, p.SubscribedAt = storeKey, subscriptionID(p.Endpoint), customerID, tx.Now()
	if err := subscriptionTable.Put(tx, p); err != nil {
		return err
	}
	all, err := Subscriptions(tx, storeKey, customerID)
	for len(all) > SubscriptionLimit && err == nil {
		err = RemoveSubscription(tx, storeKey, &all[0])
		all = all[1:]
	}
	return err
}

// RemoveSubscription removes a browser of a customer, unless its key has changed. Repeating it has no further
// effect.
func RemoveSubscription(tx *db.Tx, storeKey int64, p *Subscription) error {
	_, err := tx.Exec(`DELETE FROM push_subscriptions
		WHERE store_id = ? AND subscription_id = ? AND customer_id = ? AND p256dh = ?`,
		storeKey, p.ID, p.CustomerID, p.P256dh)
	return err
}

// FindSubscription finds a browser of a customer.
func FindSubscription(tx *db.Tx, storeKey int64, customerID, id string) (Subscription, bool, error) {
	return subscriptionTable.One(tx, `SELECT * FROM push_subscriptions
		WHERE store_id = ? AND subscription_id = ? AND customer_id = ?`, storeKey, id, customerID)
}

// Subscriptions lists the browsers of some customers, those of each in the order in which they subscribed: at
// most SubscriptionLimit of each.
func Subscriptions(tx *db.Tx, storeKey int64, customerIDs ...string) ([]Subscription, error) {
	return subscriptionTable.All(tx, `SELECT p.* FROM ? AS v (store, id)
		CROSS JOIN push_subscriptions p
		WHERE p.store_id = v.store AND p.customer_id = v.id ORDER BY customer_id, subscribed_at, subscription_id`,
		tx.Among(storeKey, customerIDs...))
}

// CountSubscriptions counts the browsers of all customers of a store, up to a limit.
func CountSubscriptions(tx *db.Tx, storeKey int64, limit int) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM
		(SELECT 1 FROM push_subscriptions WHERE store_id = ? LIMIT ?) AS counted`, storeKey, limit)
}

func removeSubscriptions(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM push_subscriptions WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

// exportedSubscription is a browser in the export of a customer's data, without its keys.
type exportedSubscription struct {
	ID           string `json:"subscriptionId"`
	Endpoint     string `json:"endpoint"`
	SubscribedAt string `json:"subscribedAt"`
}

// ExportSubscriptions lists the browsers of a customer for the export of their data.
func ExportSubscriptions(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	all, err := Subscriptions(tx, s.Key, customerID)
	for _, p := range all {
		items = append(items, exportedSubscription{p.ID, p.Endpoint, api.Timestamp(p.SubscribedAt, s.Zone)})
	}
	return items, "", err
}
