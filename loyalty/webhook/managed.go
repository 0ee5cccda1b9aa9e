package webhook

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// ErrManaged refuses changes of the subscription that the settings of a store keep.
var ErrManaged = fault.New(fault.Refused, "subscription_managed_by_settings",
	"The settings of the store keep this subscription: change it there.")

// FollowSettings returns what runs when a call saves the settings of a store. It makes the subscription of the settings
// equal to them, in the same transaction.
func FollowSettings(c *api.Call) (func(tx *db.Tx, s *store.Store) error, error) {
	// Before the transaction, because it may number events in one of its own.
	position, err := event.Last(c.Context(), c.DB())
	return func(tx *db.Tx, s *store.Store) error { return followSettings(tx, c.Caller, s, position) }, err
}

func followSettings(tx *db.Tx, by *access.Caller, of *store.Store, position int64) error {
	s, found, err := lockManaged(tx, of.Key)
	wanted := of.Settings.Webhooks && of.Settings.WebhookURI != ""
	if err != nil || !found && !wanted {
		return err
	}
	if !found {
		if err := mayRead(by); err != nil {
			return err
		}
		s = Subscription{
			StoreKey: of.Key, ID: tx.NewID(), Position: position, CreatedAt: tx.ServerNow(), Managed: true,
			Signed: true, Secret: outbound.NewSecret(), Active: true, SubscriberID: by.ID,
		}
		s.follow(&of.Settings)
		return insertSubscription(tx, &s)
	}
	before, wasWanted := s, s.Active || s.DisabledReason != ""
	if wanted {
		s.follow(&of.Settings)
	}
	changed := s.URL != before.URL || !slices.Equal(s.Headers, before.Headers)
	switch {
	case !wanted && wasWanted:
		s.switchOff("")
	case wanted && (changed || !wasWanted):
		if err := mayRead(by); err != nil {
			return err
		}
		s.switchOn()
		s.SubscriberID = by.ID
	default:
		return nil // also if the server switched it off: only a change of these settings tries again
	}
	if wanted && !wasWanted {
		if err := moveTo(tx, position, &s); err != nil { // older clients do not expect the events of the time between
			return err
		}
	}
	return updateSubscription(tx, &s)
}

// follow takes over the address and the header of the settings, and all short names.
func (s *Subscription) follow(settings *store.Settings) {
	s.URL, s.EventNames, s.Headers = settings.WebhookURI, ShortNames(), nil
	if settings.WebhookHeaderName != "" {
		s.Headers = []Header{{settings.WebhookHeaderName, settings.WebhookHeaderValue}}
	}
}

// lockManaged locks the subscription of a store's settings.
func lockManaged(tx *db.Tx, storeKey int64) (Subscription, bool, error) {
	return table.One(tx, `SELECT * FROM webhook_subscriptions
		WHERE store_id = ? AND managed AND NOT deleted FOR UPDATE`, storeKey)
}
