// Package campaigntest opens shops for tests: stores with levels, customers with points, and
// campaigns.
package campaigntest

import (
	"fmt"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// registeredAtOnce is how many customers one transaction registers at most.
const registeredAtOnce = 500

// Shop is a shop whose customers start in the first level.
type Shop struct{ *shoptest.Shop }

// Open creates a store in Warsaw with levels. edit changes its settings, nil leaves them.
func Open(t testing.TB, d *db.DB, edit func(*store.Settings), levels ...level.Level) Shop {
	t.Helper()
	return Shop{shoptest.Open(t, d, "SHOP", func(settings *store.Settings) {
		shoptest.InWarsaw(settings)
		if edit != nil {
			edit(settings)
		}
	}, levels...)}
}

// Customer registers an active customer and returns the id.
func (s Shop) Customer(edits ...func(*customer.Registration)) string {
	s.Helper()
	var id string
	s.Write(func(tx *db.Tx) (err error) {
		id, err = s.register(tx, 0, edits...)
		return err
	})
	return id
}

// Customers registers n active customers with whole points each, and returns their ids.
func (s Shop) Customers(n int, whole int64) []string {
	s.Helper()
	ids := make([]string, n)
	for from := 0; from < n; from += registeredAtOnce {
		s.Write(func(tx *db.Tx) (err error) {
			for i := from; i < min(n, from+registeredAtOnce); i++ {
				if ids[i], err = s.register(tx, i); err != nil {
					return err
				}
				if whole == 0 {
					continue
				}
				if err := s.give(tx, ids[i], points.Grant{Value: decimal.Whole(whole)}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return ids
}

func (s Shop) register(tx *db.Tx, number int, edits ...func(*customer.Registration)) (id string, err error) {
	in := customer.Registration{
		Email: fmt.Sprintf("c%d-%s@example.com", number, tx.NewID()), FirstName: "Ida", LastName: "Berg",
		Agreements: [3]bool{true}, Active: true,
	}
	for _, edit := range edits {
		edit(&in)
	}
	c, err := customer.Register(tx, s.Store, in)
	if err != nil {
		return "", err
	}
	return c.ID, nil
}

// Give grants points to a customer, by an administrator and now.
func (s Shop) Give(customerID string, grants ...points.Grant) {
	s.Helper()
	s.Write(func(tx *db.Tx) error { return s.give(tx, customerID, grants...) })
}

func (s Shop) give(tx *db.Tx, customerID string, grants ...points.Grant) error {
	_, err := points.Change(tx, s.Owner(customerID), func(w *points.Wallet) (entries []event.Entry, err error) {
		for _, g := range grants {
			g.Issuer, g.CreatedAt = points.ByAdmin, tx.Now()
			_, entry := w.Add(g)
			entries = append(entries, entry)
		}
		return entries, nil
	})
	return err
}

// Owner names the account of a customer.
func (s Shop) Owner(customerID string) points.Owner {
	return points.Owner{Store: s.Store, CustomerID: customerID}
}

// Account returns the points of a customer.
func (s Shop) Account(customerID string) (a points.Account) {
	s.Helper()
	s.Read(func(tx *db.Tx) (err error) {
		a, err = points.Balance(tx, s.Store, customerID)
		return err
	})
	return a
}

// Bought returns how often a customer has bought a campaign.
func (s Shop) Bought(customerID, campaignID string) (n int64) {
	s.Helper()
	s.Read(func(tx *db.Tx) error {
		bought, err := points.Bought(tx, s.Store.Key, customerID)
		n = bought[customerID][campaignID]
		return err
	})
	return n
}

// Campaign creates an active, unlimited discount campaign for the first level, which is always
// visible and costs nothing. edit changes the draft.
func (s Shop) Campaign(name string, edit func(*campaign.Draft)) (id string) {
	s.Helper()
	draft := campaign.Draft{Campaign: campaign.Campaign{
		Reward: campaign.DiscountCode, Active: true, Unlimited: true,
		Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
		Definition: campaign.Definition{
			Levels: []string{s.Levels[0]}, Translations: []campaign.Translation{{Locale: "en", Name: name}},
		},
	}}
	if edit != nil {
		edit(&draft)
	}
	s.Write(func(tx *db.Tx) (err error) {
		id, err = campaign.Create(tx, s.Store, draft)
		return err
	})
	return id
}

// Codes returns n coupon codes, CODE0 and so on.
func Codes(n int) []string {
	codes := make([]string, n)
	for i := range codes {
		codes[i] = fmt.Sprintf("CODE%d", i)
	}
	return codes
}
