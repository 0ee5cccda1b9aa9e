package app

import (
	"strconv"

	"punchcard/loyalty/audit"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/store"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
)

// auditObjects returns how the objects of an entity type are read before and after a change, so that the audit log
// shows what changed. Calls on other entities show what was sent.
func (s *server) auditObjects() map[string]audit.Object {
	return map[string]audit.Object{
		"campaign": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return s.desk.Catalogue.Audited(tx, of.Key, id)
		},
		"campaignCategory": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return category.Audited(tx, of.Key, id)
		},
		"customer": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			found, err := customer.FindAll(tx, of.Key, id)
			return found[id], err
		},
		"earningRule": func(tx *db.Tx, of *store.Store, id string) (any, error) { return earning.Find(tx, of.Key, id) },
		"level": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			all, err := level.All(tx, of.Key)
			return level.Find(all, id), err
		},
		"message": func(tx *db.Tx, of *store.Store, id string) (any, error) { return template.Audited(tx, of, id) },
		"pos": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			p, _, err := pos.Find(tx, of.Key, id)
			return p.Details, err
		},
		"segment": func(tx *db.Tx, of *store.Store, id string) (any, error) { return s.segments.Audited(tx, of.Key, id) },
		"seller": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			found, _, err := seller.FindByID(tx, of.Key, id)
			return found, err
		},
		"settings": func(tx *db.Tx, of *store.Store, _ string) (any, error) {
			gateway, err := notification.Audited(tx, of.Key)
			if err != nil {
				return nil, err
			}
			messages, err := message.ReadAudited(tx, of.Key)
			if err != nil {
				return nil, err
			}
			now, _, err := store.ByCode(tx, of.Code)
			return settings{now.Settings, gateway.URL, gateway.Active, messages}, err
		},
		"store": func(tx *db.Tx, _ *store.Store, id string) (any, error) {
			found, known, err := store.ByID(tx, id)
			if !known {
				return nil, err
			}
			return shop{found.Code, found.Name, found.Currency, found.Active, found.Sandbox}, err
		},
		"webhook": func(tx *db.Tx, of *store.Store, id string) (any, error) { return webhook.Audited(tx, of.Key, id) },
		"admin": func(tx *db.Tx, _ *store.Store, id string) (any, error) {
			return orNone(admin.FindByID(tx, id))
		},
		"role": func(tx *db.Tx, _ *store.Store, id string) (any, error) {
			number, _ := strconv.ParseInt(id, 10, 64) // 0 is no role
			return orNone(admin.FindRole(tx, number))
		},
		"language": func(tx *db.Tx, _ *store.Store, code string) (any, error) {
			return orNone(store.FindLanguage(tx, code))
		},
	}
}

// orNone returns nil for an object that is not known.
func orNone[T any](found T, known bool, err error) (any, error) {
	if !known {
		return nil, err
	}
	return found, err
}

// settings are those of a store, with its gateway and how it sends messages.
type settings struct {
	store.Settings
	NotificationGateway       string `json:"notificationGateway,omitempty"`
	NotificationGatewayActive bool   `json:"notificationGatewayActive,omitempty"`
	message.Audited
}

// shop has the audited fields of a store besides its settings.
type shop struct {
	Code, Name, Currency string
	Active, Sandbox      bool
}
