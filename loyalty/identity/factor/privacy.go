package factor

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// exported is a passkey in the export of a customer's data.
type exported struct {
	Name       string  `json:"name"`
	CreatedAt  string  `json:"createdAt"`
	LastUsedAt *string `json:"lastUsedAt"` // null if never
}

// Export reads a customer's passkeys for the export of their data.
func Export(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	found, err := Passkeys(tx, Account{StoreKey: s.Key, ID: customerID})
	for i := range found {
		items = append(items, exported{
			Name: found[i].Name, CreatedAt: api.Timestamp(found[i].CreatedAt, s.Zone),
			LastUsedAt: api.OptionalTimestamp(found[i].LastUsedAt, s.Zone),
		})
	}
	return items, "", err
}

// Forget deletes the factors of a customer. It needs only one step.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	return "", RemoveAll(tx, s.Key, customerID)
}
