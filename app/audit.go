package app

import (
	"cmp"
	"errors"

	"punchcard/core/store"
	"punchcard/loyalty/auditapi"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

func (s *server) auditLog() *auditapi.Log {
	return &auditapi.Log{Deferred: s.audit, CustomerNames: userNames}
}

// userNames returns the names by which customers log in.
func userNames(tx *db.Tx, storeKey int64, ids ...string) (map[string]string, error) {
	found, err := customer.FindAll(tx, storeKey, ids...)
	names := map[string]string{}
	for id, c := range found {
		names[id] = cmp.Or(c.Email, c.Phone)
	}
	return names, err
}

// customerID returns the id of the customer that a path names, empty if there is none.
func customerID(tx *db.Tx, s *store.Store, named string) (string, error) {
	found, err := customer.FindByPath(tx, s.Key, named, form.IsUUID(named))
	if errors.Is(err, fault.ErrNotFound) {
		return "", nil
	}
	if err != nil && !errors.Is(err, customer.ErrMerged) {
		return "", err
	}
	return found.ID, nil
}

// settings are those of a store, with how it sends messages.
type settings struct {
	store.Settings
	message.Audited
}

// auditedSettings reads the settings of a store for the audit log.
func auditedSettings(tx *db.Tx, of *store.Store, _ string) (any, error) {
	messages, err := message.ReadAudited(tx, of.Key)
	if err != nil {
		return nil, err
	}
	now, _, err := store.ByCode(tx, of.Code)
	return settings{now.Settings, messages}, err
}
