package notification

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// toContacts queues e-mails, SMS and push messages to browsers with notifications of locked customers, in the language
// of each customer. It reads nothing more if the store has switched on no text for these channels, as is the default.
func toContacts(tx *db.Tx, s *store.Store, templates *template.Set, all []Notification) error {
	by := []string{template.Email, template.SMS}
	toBrowsers, err := message.PushesToBrowsers(tx, s.Key)
	if err != nil {
		return err
	}
	if toBrowsers {
		by = append(by, template.Push)
	}
	on := make([]Notification, 0, len(all))
	for _, k := range kinds {
		if !templates.Any(k.event, by...) {
			continue
		}
		for i := range all {
			if all[i].Kind == k.name {
				on = append(on, all[i])
			}
		}
	}
	if len(on) == 0 {
		return nil
	}
	ids := make([]string, len(on))
	for i := range on {
		ids[i] = on[i].CustomerID
	}
	customers, err := customer.FindAll(tx, s.Key, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	byLanguage := map[string][]Notification{}
	for _, n := range on {
		if c := customers[n.CustomerID]; c != nil && gets(c, &n, toBrowsers) {
			byLanguage[c.Locale] = append(byLanguage[c.Locale], n)
		}
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return err
	}
	var messages []message.Message
	for _, language := range slices.Sorted(maps.Keys(byLanguage)) {
		locale := api.Locale{Wanted: cmp.Or(language, languages.Default()), Default: languages.Default()}
		part := byLanguage[language]
		if err := name(tx, s.Key, locale, part); err != nil {
			return err
		}
		for i := range part {
			n := &part[i]
			messages = append(messages, message.To(customers[n.CustomerID], kindOf(n).event, valuesOf(n, s.Zone)))
		}
	}
	return message.Queue(tx, s, messages...)
}

// gets reports whether a customer gets a notification by e-mail or SMS, or perhaps in a browser.
func gets(c *customer.Customer, n *Notification, toBrowsers bool) bool {
	return (c.Email != "" || c.Phone != "" || toBrowsers) &&
		(c.AgreedToMarketing() || !template.Find(kindOf(n).event).Marketing)
}

// withConsent returns the notifications that are no marketing, or whose customers agreed to it.
func withConsent(tx *db.Tx, storeKey int64, all []Notification) ([]Notification, error) {
	isMarketing := func(n Notification) bool { return template.Find(kindOf(&n).event).Marketing }
	var ids []string
	for _, n := range all {
		if isMarketing(n) {
			ids = append(ids, n.CustomerID)
		}
	}
	if len(ids) == 0 {
		return all, nil
	}
	customers, err := customer.FindAll(tx, storeKey, db.Distinct(ids)...)
	return slices.DeleteFunc(slices.Clone(all), func(n Notification) bool {
		c := customers[n.CustomerID]
		return isMarketing(n) && (c == nil || !c.AgreedToMarketing())
	}), err
}

// name gives notifications the present names of their campaigns and levels in the locale.
func name(tx *db.Tx, storeKey int64, locale api.Locale, all []Notification) error {
	if err := translate(tx, storeKey, locale, all); err != nil {
		return err
	}
	var about []*Notification
	for i := range all {
		if all[i].Kind == campaignAvailable.name {
			about = append(about, &all[i])
		}
	}
	return nameCampaigns(tx, storeKey, locale, about)
}
