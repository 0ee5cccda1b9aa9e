package app

import (
	"slices"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/store"
	"punchcard/loyalty/store/storeapi"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// receiptHooks are what follows from a receipt.
var receiptHooks = transaction.Hooks{
	Earned: earning.Earned, Simulate: earning.Simulate, Returned: purchase.Returned, Counted: segment.Recheck,
}

// loginHooks are what follows a log-in.
var loginHooks = auth.Hooks{LoggedIn: earning.LoggedIn}

// storeHooks are what follows a change of a store or language.
func storeHooks(reservedCodes func() []string) storeapi.Hooks {
	return storeapi.Hooks{
		ReservedCodes: reservedCodes, LanguageRemoved: languageRemoved,
		ClockMoved: append(slices.Clone(storeJobs), announcing),
	}
}

func (s *server) adminHooks() admin.Hooks {
	return admin.Hooks{EndSessions: s.auth.End, RightsChanged: s.auth.Forget}
}

func (s *server) sellerHooks() seller.Hooks { return seller.Hooks{EndSessions: s.auth.End} }

var pointTransfers = transfer.Hooks{Transactions: transaction.OfTransfers}

// customerHooks is what all rooms know and do about customers.
func (s *server) customerHooks() customer.Hooks {
	return customer.Hooks{
		Purchases: purchase.OfCustomers, Segments: segment.OfCustomers,
		Registered: customerRegistered, Changed: customerChanged,
		UnlinkedTraces: []customer.UnlinkedTrace{transaction.ForgetUnclaimed},
		Traces: []customer.Trace{
			transaction.Forget, purchase.Forget, points.Forget, cashback.Forget, notification.Forget,
		},
		Sections: []customer.Section{
			{Name: "transfers", Page: pointTransfers.Export}, {Name: "purchases", Page: purchase.Export},
			{Name: "cashbacks", Page: cashback.Export}, {Name: "transactions", Page: transaction.Export},
			{Name: "earningRuleUses", Page: earning.ExportUses}, {Name: "earningEvents", Page: earning.ExportOnce},
			{Name: "notifications", Page: notification.Export},
			{Name: "events", Page: eventlog.Export}, {Name: "transactionEvents", Page: eventlog.ExportTransactions},
		},
		EndSessions: s.auth.End, StatusChanged: s.auth.Forget,
		Registrations: s.limiters.registrations, ContactLookups: s.limiters.checks,
	}
}

// customerRegistered is what follows a registration; the segments come last, because they ask what became of him.
func customerRegistered(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	if err := earning.Registered(tx, s, c); err != nil {
		return err
	}
	return segment.Recheck(tx, s, c.ID)
}

// customerChanged is what follows a change of a customer.
func customerChanged(tx *db.Tx, s *store.Store, before, after *customer.Customer) error {
	if after.Status == customer.Deleted {
		if err := transaction.Disown(tx, s.Key, after.ID); err != nil {
			return err
		}
		if err := notification.Remove(tx, s.Key, after.ID); err != nil {
			return err
		}
	}
	if err := earning.Changed(tx, s, before, after); err != nil {
		return err
	}
	return segment.Recheck(tx, s, after.ID)
}

// languageRemoved removes what was translated into a language that is no more: campaigns before the rest, as their
// counters are locked first everywhere.
func languageRemoved(tx *db.Tx, code string) error {
	stores, err := store.All(tx)
	if err != nil {
		return err
	}
	for _, drop := range []func(*db.Tx, int64, string) error{
		campaign.DropLocale, level.DropLocale, category.DropLocale,
	} {
		for i := range stores {
			if err := drop(tx, stores[i].Key, code); err != nil {
				return err
			}
		}
	}
	return nil
}
