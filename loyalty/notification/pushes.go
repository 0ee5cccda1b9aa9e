package notification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// pushed is a notification in a call of the gateway.
type pushed struct {
	CustomerID string `json:"customerId"`
	Title      string `json:"title,omitempty"`
	view
}

// toGateway queues notifications for the store's gateway, if there is an active one. Marketing goes to customers who
// agreed to it.
func toGateway(tx *db.Tx, storeKey int64, all []Notification) error {
	gateway, found, err := message.FindNotificationGateway(tx, storeKey)
	if err != nil || !found || !gateway.Active {
		return err
	}
	if all, err = withConsent(tx, storeKey, all); err != nil {
		return err
	}
	customers := make(map[string]string, len(all))
	for _, n := range all {
		customers[n.ID] = n.CustomerID
	}
	return message.PushNotifications(tx, storeKey, customers)
}

// Pushed returns notifications as the gateway gets them, in the default language, given their customers by their ids.
// Deleted ones are left out.
func Pushed(tx *db.Tx, s *store.Store, customers map[string]string) ([]any, error) {
	keys := make([]key, 0, len(customers))
	for id, customerID := range customers {
		keys = append(keys, key{customerID, id})
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return nil, err
	}
	locale := api.Locale{Wanted: languages.Default(), Default: languages.Default()}
	found, err := pick(tx, s.Key, keys)
	if err == nil {
		err = translate(tx, s.Key, locale, found)
	}
	if err != nil {
		return nil, err
	}
	t, err := textsOf(tx, s, template.Push, locale, found)
	all := make([]any, len(found))
	for i := range found {
		n := &found[i]
		all[i] = pushed{n.CustomerID, t.of(n).Subject, newView(s, t, n)}
	}
	return all, err
}
