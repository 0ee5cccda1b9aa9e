package webhook

import (
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var table = db.NewTable("webhook_subscriptions", "store_id, subscription_id", func(s *Subscription) db.Row {
	return db.Row{
		"store_id", &s.StoreKey, "subscription_id", &s.ID, "url", &s.URL, "description", &s.Description,
		"event_names", db.JSON(&s.EventNames), "headers", db.JSON(&s.Headers), "active", &s.Active, "deleted", &s.Deleted,
		"disabled_reason", &s.DisabledReason, "failing_since", db.Time(&s.FailingSince), "signed", &s.Signed,
		"secret", &s.Secret, "old_secret", &s.OldSecret, "old_secret_until", db.Time(&s.OldSecretUntil),
		"position", &s.Position, "created_at", db.Time(&s.CreatedAt), "managed", &s.Managed,
		"subscriber_id", &s.SubscriberID,
	}
})

func insertSubscription(tx *db.Tx, s *Subscription) error {
	return table.Insert(tx, s)
}

func findSubscription(tx *db.Tx, storeKey int64, id string) (*Subscription, error) {
	return readSubscription(tx, storeKey, id, "")
}

// lockSubscription holds a subscription until the commit. Everything that adds or finishes deliveries of a subscription
// locks it first, so that no two of them decide at once which delivery of an aggregate is next.
func lockSubscription(tx *db.Tx, storeKey int64, id string) (*Subscription, error) {
	return readSubscription(tx, storeKey, id, " FOR UPDATE")
}

// lockOwn is lock for changes that the subscription of the settings refuses.
func lockOwn(tx *db.Tx, storeKey int64, id string) (*Subscription, error) {
	s, err := lockSubscription(tx, storeKey, id)
	if err == nil && s.Managed {
		err = ErrManaged
	}
	return s, err
}

func readSubscription(tx *db.Tx, storeKey int64, id, ending string) (*Subscription, error) {
	s, found, err := table.One(tx, `SELECT * FROM webhook_subscriptions
		WHERE store_id = ? AND subscription_id = ? AND NOT deleted`+ending, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &s, err
}

// updateSubscription writes all of a locked subscription but how far it has read.
func updateSubscription(tx *db.Tx, s *Subscription) error {
	return table.Update(tx, "url, description, event_names, headers, active, deleted, disabled_reason, failing_since, "+
		"signed, secret, old_secret, old_secret_until, subscriber_id", s)
}

// countSubscriptions returns the number of subscriptions of a store, at most SubscriptionLimit and that of the
// settings.
func countSubscriptions(tx *db.Tx, storeKey int64) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM webhook_subscriptions WHERE store_id = ? AND NOT deleted`, storeKey)
}

var sortable = api.Order{Tie: "subscription_id", Columns: map[string]api.Column{
	"webhookSubscriptionId": "subscription_id", "url": "url", "active": "active", "description": "description",
}}

func readPage(tx *db.Tx, storeKey int64, order db.Order, limit, offset int) ([]Subscription, error) {
	return table.All(tx, `SELECT * FROM webhook_subscriptions
		WHERE store_id = ? AND NOT deleted ORDER BY ? LIMIT ? OFFSET ?`, storeKey, order, limit, offset)
}

// active returns the active subscriptions of all stores. They fit into memory: SubscriptionLimit
// bounds those of a store.
func active(tx *db.Tx) ([]Subscription, error) {
	return table.All(tx, `SELECT * FROM webhook_subscriptions
		WHERE active AND NOT deleted ORDER BY store_id, subscription_id`)
}

// lockAt locks all active subscriptions at the position.
func lockAt(tx *db.Tx, position int64) ([]Subscription, error) {
	return table.All(tx, `SELECT * FROM webhook_subscriptions
		WHERE active AND NOT deleted AND position = ? ORDER BY store_id, subscription_id FOR UPDATE`, position)
}

// moveTo sets the position of locked subscriptions.
func moveTo(tx *db.Tx, position int64, subscriptions ...*Subscription) error {
	for _, s := range subscriptions {
		s.Position = position
	}
	return table.Update(tx, "position", subscriptions...)
}

// firstDeleted returns a subscription that is soft-deleted but not yet purged.
func firstDeleted(tx *db.Tx) (Subscription, bool, error) {
	return table.One(tx, `SELECT * FROM webhook_subscriptions
		WHERE deleted ORDER BY store_id, subscription_id LIMIT 1`)
}

// removeSubscription deletes the row of a subscription that has no deliveries.
func removeSubscription(tx *db.Tx, s *Subscription) error {
	_, err := tx.Exec(`DELETE FROM webhook_subscriptions WHERE store_id = ? AND subscription_id = ?`, s.StoreKey, s.ID)
	return err
}

// CountFailing returns how many subscriptions of all stores are on although their last attempts failed.
func CountFailing(tx *db.Tx) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM webhook_subscriptions
		WHERE active AND NOT deleted AND failing_since IS NOT NULL`)
}
