package app

import (
	"context"
	"maps"

	"punchcard/core/store"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/checkout"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/merge"
	"punchcard/loyalty/identity/sso"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/storeapi"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// receiptHooks returns what runs for receipts.
func (s services) receiptHooks() transaction.Hooks {
	return transaction.Hooks{
		Earn: s.earning.Earn, Simulate: s.earning.Simulate, Explain: s.earning.ExplainSale,
		Returned: s.desk.Returned, Reduced: purchase.Reduced, Counted: s.segments.Recheck,
	}
}

// clientReceipts returns what runs for receipts of clients, with their limits.
func (s *server) clientReceipts() transaction.Hooks {
	hooks := s.receiptHooks()
	hooks.Ahead, hooks.Guesses = s.config.ReceiptsAhead, s.limiters.guesses
	return hooks
}

// singleSignOn returns what signs administrators and sellers in by identity providers, at the address of links.
func (s *server) singleSignOn() *sso.Service {
	return sso.New(sso.Config{
		Auth: s.auth, Client: s.outbound, Base: func() string { return s.messages.Base },
		Attempts: s.limiters.signIns,
	})
}

// storeHooks returns what runs for changes of stores and languages.
func (s *server) storeHooks() storeapi.Hooks {
	return storeapi.Hooks{
		ReservedCodes: s.reservedCodes, LanguageRemoved: s.languageRemoved,
		SettingsSaved: webhook.FollowSettings, Guard: verification.Guard(s.auth),
		HasReceipts: transaction.HasAny, HasReservations: checkout.HasOpen,
		ClockMoved: func() []store.Job {
			return append(s.features.storeJobs(), store.Job{
				Name: notification.Announcements, Work: notification.Announce(s.desk),
			})
		},
	}
}

func (s *server) templateHooks() template.Hooks {
	send := func(ctx context.Context, d *db.DB, of *store.Store, channel, to string, t template.Text) (
		id string, o outbound.Outcome, err error) {
		return s.messages.SendNow(ctx, d, of, channel, to, t)
	}
	return template.Hooks{Values: messageValues, Send: send, Guard: verification.Guard(s.auth)}
}

// messageValues returns the values of placeholders that a customer has, and the customer's language.
func messageValues(tx *db.Tx, of *store.Store, customerID string) (
	values map[string]string, language string, err error) {
	c, err := customer.Find(tx, of.Key, customerID)
	if err != nil {
		return nil, "", err
	}
	return c.MessageValues(), c.Locale, nil
}

var pointTransfers = transfer.Hooks{
	Transactions: transaction.OfTransfers, Purchase: purchase.OfTransfer,
	RestsUntil: verification.RestsUntil,
}

// transferHooks returns pointTransfers with the limit of guesses.
func (s *server) transferHooks() transfer.Hooks {
	h := pointTransfers
	h.Guesses = s.limiters.guesses
	return h
}

// mergeHooks returns what runs when two customers are merged.
func (s *server) mergeHooks() merge.Hooks {
	return merge.Hooks{Desk: s.desk}
}

// verifier returns the endpoints that activate accounts and reset passwords.
func (s *server) verifier() *verification.Verifier {
	return &verification.Verifier{Config: verification.Config{
		Requests: s.limiters.messages, Codes: s.limiters.codes, StoreCodes: s.limiters.storeCodes,
	}}
}

// messageSecrets returns what makes the secrets of messages, by event.
func messageSecrets() map[string]message.Secrets {
	all := map[string]message.Secrets{}
	for _, of := range []map[string]message.Secrets{verification.Secrets, invitation.Secrets} {
		maps.Copy(all, of)
	}
	return all
}

// languageRemoved removes all translations into a language. Campaigns come first, because their counters are locked
// first everywhere.
func (s services) languageRemoved(tx *db.Tx, code string) error {
	stores, err := store.All(tx)
	if err != nil {
		return err
	}
	for _, drop := range []func(*db.Tx, int64, string) error{
		s.desk.Catalogue.DropLocale, level.DropLocale, category.DropLocale, template.DropLocale,
	} {
		for i := range stores {
			if err := drop(tx, stores[i].Key, code); err != nil {
				return err
			}
		}
	}
	return nil
}
