// Package device keeps the devices and browsers of customers that get push messages.
package device

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// TokenLimit is how many devices of a customer get push messages. One more replaces the one that was registered
// first.
const TokenLimit = 20

// Token names a device of a customer to the service that sends push messages.
type Token struct {
	storeKey     int64
	customerID   string
	Value        string
	RegisteredAt time.Time
}

var tokenTable = db.NewTable("customer_push_tokens", "store_id, token", func(t *Token) db.Row {
	return db.Row{
		"store_id", &t.storeKey, "token", &t.Value, "customer_id", &t.customerID,
		"registered_at", db.Time(&t.RegisteredAt),
	}
})

// AddToken registers a device of a locked customer. A device belongs to the customer who registered it last.
func AddToken(tx *db.Tx, storeKey int64, customerID, token string) error {
	if err := tokenTable.Put(tx, &Token{storeKey, customerID, token, tx.Now()}); err != nil {
		return err
	}
	tokens, err := Tokens(tx, storeKey, customerID)
	for len(tokens) > TokenLimit && err == nil {
		err = RemoveToken(tx, storeKey, customerID, tokens[0].Value)
		tokens = tokens[1:]
	}
	return err
}

// RemoveToken removes a device of a customer. Repeating it has no further effect.
func RemoveToken(tx *db.Tx, storeKey int64, customerID, token string) error {
	_, err := tx.Exec(`DELETE FROM customer_push_tokens WHERE store_id = ? AND token = ? AND customer_id = ?`,
		storeKey, token, customerID)
	return err
}

// Remove ends push messages to all devices and browsers of a customer.
func Remove(tx *db.Tx, storeKey int64, customerID string) error {
	if err := removeSubscriptions(tx, storeKey, customerID); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM customer_push_tokens WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

// Tokens lists the devices of a customer in the order in which they were registered last: at most TokenLimit.
func Tokens(tx *db.Tx, storeKey int64, customerID string) ([]Token, error) {
	return tokenTable.All(tx, `SELECT token, registered_at FROM customer_push_tokens
		WHERE store_id = ? AND customer_id = ? ORDER BY registered_at, token`, storeKey, customerID)
}

// exportedToken is a device in the export of a customer's data.
type exportedToken struct {
	Token        string `json:"token"`
	RegisteredAt string `json:"registeredAt"`
}

// ExportTokens lists the devices of a customer for the export of their data.
func ExportTokens(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	tokens, err := Tokens(tx, s.Key, customerID)
	for _, t := range tokens {
		items = append(items, exportedToken{t.Value, api.Timestamp(t.RegisteredAt, s.Zone)})
	}
	return items, "", err
}
