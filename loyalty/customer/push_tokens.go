package customer

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// PushTokenLimit is how many devices of a customer get push messages. One more replaces the one that was registered
// first.
const PushTokenLimit = 20

// PushToken names a device of a customer to the service that sends push messages.
type PushToken struct {
	storeKey     int64
	customerID   string
	Token        string
	RegisteredAt time.Time
}

var tokenTable = db.NewTable("customer_push_tokens", "store_id, token", func(t *PushToken) db.Row {
	return db.Row{
		"store_id", &t.storeKey, "token", &t.Token, "customer_id", &t.customerID,
		"registered_at", db.Time(&t.RegisteredAt),
	}
})

// AddPushToken registers a device of a locked customer. A device belongs to the customer who registered it last.
func AddPushToken(tx *db.Tx, c *Customer, token string) error {
	if !c.AnonymizedAt.IsZero() {
		return ErrAnonymized
	}
	if err := tokenTable.Put(tx, &PushToken{c.StoreKey, c.ID, token, tx.Now()}); err != nil {
		return err
	}
	tokens, err := PushTokens(tx, c.StoreKey, c.ID)
	for len(tokens) > PushTokenLimit && err == nil {
		err = RemovePushToken(tx, c.StoreKey, c.ID, tokens[0].Token)
		tokens = tokens[1:]
	}
	return err
}

// RemovePushToken removes a device of a customer. Repeating it has no further effect.
func RemovePushToken(tx *db.Tx, storeKey int64, customerID, token string) error {
	_, err := tx.Exec(`DELETE FROM customer_push_tokens WHERE store_id = ? AND token = ? AND customer_id = ?`,
		storeKey, token, customerID)
	return err
}

// removeDevices ends push messages to all devices and browsers of a customer.
func removeDevices(tx *db.Tx, storeKey int64, customerID string) error {
	if err := removePushSubscriptions(tx, storeKey, customerID); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM customer_push_tokens WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

// PushTokens lists the devices of a customer in the order in which they were registered last: at most PushTokenLimit.
func PushTokens(tx *db.Tx, storeKey int64, customerID string) ([]PushToken, error) {
	return tokenTable.All(tx, `SELECT token, registered_at FROM customer_push_tokens
		WHERE store_id = ? AND customer_id = ? ORDER BY registered_at, token`, storeKey, customerID)
}

// exportedPushToken is a device in the export of a customer's data.
type exportedPushToken struct {
	Token        string `json:"token"`
	RegisteredAt string `json:"registeredAt"`
}

// ExportPushTokens lists the devices of a customer for the export of their data.
func ExportPushTokens(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	tokens, err := PushTokens(tx, s.Key, customerID)
	for _, t := range tokens {
		items = append(items, exportedPushToken{t.Token, api.Timestamp(t.RegisteredAt, s.Zone)})
	}
	return items, "", err
}
