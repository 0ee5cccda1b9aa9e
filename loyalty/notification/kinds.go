package notification

import (
	"cmp"
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// kinds lists the kinds of notifications. Customers are reminded of what ends in this order.
var kinds = []*kind{welcome, campaignAvailable, pointsEnding, couponEnding, levelEnding, mailing}

// kind is a kind of notification, such as those about coupons that end.
type kind struct {
	name string // stored, and shown to clients

	event string // of the templates of the texts
	// values returns the values of the placeholders, apart from the day of the end.
	values func(n *Notification) map[string]string
	// show adds the subject to a view.
	show func(n *Notification, v *view)
	// names, if set, returns a function that finds the present name of a notification's subject in
	// the locale, empty if there is none.
	names func(tx *db.Tx, storeKey int64, locale api.Locale, all []*Notification) (
		func(n *Notification) string, error)

	// days is how many days ahead a store reminds customers of what find finds. A kind without it is
	// not about an end.
	days func(s *store.Settings) int
	find find
	// events returns one event for each notification of an end.
	events func(tx *db.Tx, s *store.Store, all []Notification) ([]event.Entry, error)
}

// find returns what ends on the day, after a key.
type find func(tx *db.Tx, s *store.Store, day calendar.Day, after string) (ending, error)

// kindOf returns the kind of a notification. Rows of a newer version may have others, which have no
// text.
func kindOf(n *Notification) *kind {
	at := slices.IndexFunc(kinds, func(k *kind) bool { return k.name == n.Kind })
	if at < 0 {
		return &kind{show: func(*Notification, *view) {}}
	}
	return kinds[at]
}

// translate replaces the stored names of campaigns and levels by their present names in the locale.
// The stored name stays if there is none.
func translate(tx *db.Tx, storeKey int64, locale api.Locale, all []Notification) error {
	for _, k := range kinds {
		var of []*Notification
		for i := range all {
			if k.names != nil && all[i].Kind == k.name {
				of = append(of, &all[i])
			}
		}
		if len(of) == 0 {
			continue
		}
		nameOf, err := k.names(tx, storeKey, locale, of)
		if err != nil {
			return err
		}
		for _, n := range of {
			n.Details.Name = cmp.Or(nameOf(n), n.Details.Name)
		}
	}
	return nil
}
