package app

import (
	"context"
	"maps"

	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/checkout"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/customer/merge"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/apikey"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/sso"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/journey"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
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

func (s *server) adminHooks() admin.Hooks {
	return admin.Hooks{
		EndSessions: s.endAccess, RightsChanged: s.auth.Forget, AccessChanged: verification.AdministratorChanged,
	}
}

// endAccess ends the sessions and the links of an administrator or seller, except one session.
func (s *server) endAccess(tx *db.Tx, userID, keep string) error {
	if err := s.auth.End(tx, userID, keep); err != nil {
		return err
	}
	return verification.EndLinks(tx, userID)
}

func (s *server) keyHooks() apikey.Hooks {
	return apikey.Hooks{Changed: s.auth.Forget, Flush: s.auth.FlushUses}
}

func (s *server) sellerHooks() seller.Hooks {
	return seller.Hooks{EndSessions: s.endAccess, AccessChanged: verification.SellerChanged}
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

var segmentHooks = segment.Hooks{Purchases: purchase.OfCustomers}

var campaignHooks = campaign.Hooks{Purchases: purchase.OfCustomers}

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

// customerHooks returns what other features add to customers.
func (s *server) customerHooks() customerapi.Hooks {
	return customerapi.Hooks{
		Purchases: purchase.OfCustomers, Segments: segment.OfCustomers, SegmentMembers: segment.MemberIDs,
		Invited: invitation.Claim, Registered: s.greetCustomer, Changed: s.customerChanged,
		Follow:        s.segments.Follow,
		StatusChanged: s.auth.Forget, ConfirmContact: verification.RequestChange,
		ContactChanged: verification.ContactChanged,
		Registrations:  s.limiters.registrations, Activations: s.limiters.activations,
		ContactLookups: s.limiters.checks,
	}
}

// mergeHooks returns what runs when two customers are merged.
func (s *server) mergeHooks() merge.Hooks {
	return merge.Hooks{Desk: s.desk, EndSessions: s.auth.End, Recheck: s.segments.Recheck}
}

// verifier returns the endpoints that activate accounts and reset passwords.
func (s *server) verifier() *verification.Verifier {
	return &verification.Verifier{Config: verification.Config{
		EndSessions: s.auth.End, Customers: s.customerHooks(),
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

// privacyHooks returns what features store about customers, for the export and for anonymization.
func (s *server) privacyHooks() privacy.Hooks {
	return privacy.Hooks{
		Customers: s.customerHooks(), Stored: *s.stored,
		EndSessions: s.auth.End, Confirm: s.auth.Confirm, Leaving: verification.Leaving,
	}
}

// customerRegistered runs after every registration. Segments come last, because they depend on the rest.
func (s services) customerRegistered(tx *db.Tx, of *store.Store, c *customer.Customer) error {
	if c.InvitationID != "" {
		if err := invitation.Attach(tx, of, c); err != nil {
			return err
		}
	}
	if err := s.earning.Registered(tx, of, c); err != nil {
		return err
	}
	if c.IsActive() {
		if err := journey.Joined(tx, of, c.ID); err != nil {
			return err
		}
	}
	return s.segments.Recheck(tx, of, c.ID)
}

// customersImported is customerRegistered for many customers, without invitations.
func (s services) customersImported(
	tx *db.Tx, of *store.Store, o dataimport.Options, added ...*customer.Customer) error {
	ids := make([]string, len(added))
	for i, c := range added {
		ids[i] = c.ID
	}
	if !o.WithoutPoints {
		if err := s.earning.Imported(tx, of, added...); err != nil {
			return err
		}
	}
	if !o.WithoutWelcome {
		if err := notification.Welcome(tx, of, ids...); err != nil {
			return err
		}
	}
	return s.segments.Recheck(tx, of, ids...)
}

// greetCustomer runs after a registration by request, and also sends the customer what they need to log in.
func (s services) greetCustomer(tx *db.Tx, of *store.Store, c *customer.Customer) error {
	if err := verification.Registered(tx, of, c); err != nil {
		return err
	}
	if err := message.Queue(tx, of, message.To(c, template.CustomerRegistered, nil)); err != nil {
		return err
	}
	if err := notification.Welcome(tx, of, c.ID); err != nil {
		return err
	}
	return s.customerRegistered(tx, of, c)
}

// customerChanged runs after a change of a customer.
func (s services) customerChanged(tx *db.Tx, of *store.Store, before, after *customer.Customer) error {
	if after.Status == customer.Deleted {
		if err := transaction.Disown(tx, of, after.ID); err != nil {
			return err
		}
		if err := notification.Remove(tx, of.Key, after.ID); err != nil {
			return err
		}
		if err := s.forgetDeleted(tx, of, after.ID); err != nil {
			return err
		}
	}
	if before.Status == customer.New && after.IsActive() {
		if err := journey.Joined(tx, of, after.ID); err != nil {
			return err
		}
	}
	if err := s.earning.Changed(tx, of, before, after); err != nil {
		return err
	}
	return s.segments.Recheck(tx, of, after.ID)
}

// forgetDeleted removes what features store about a deleted customer, and about those who were merged into them.
func (s services) forgetDeleted(tx *db.Tx, of *store.Store, id string) error {
	merged, err := customer.MergedInto(tx, of.Key, id)
	if err != nil {
		return err
	}
	audit.Of(tx).Hide()
	for _, id := range append(merged, id) {
		if err := s.forget(tx, of, id); err != nil {
			return err
		}
	}
	return nil
}

func (s services) forget(tx *db.Tx, of *store.Store, id string) (err error) {
	for _, stored := range *s.stored {
		for _, clear := range stored.ForgetDeleted {
			for after, more := "", true; more; more = after != "" {
				if after, err = clear(tx, of, id, after); err != nil {
					return err
				}
			}
		}
	}
	return nil
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
