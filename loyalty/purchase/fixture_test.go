package purchase_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

// shop is a store with one level and a desk that sells in it.
type shop struct {
	t     testing.TB
	db    *db.DB
	desk  *purchase.Desk
	store *store.Store
	level *level.Level
}

func newShop(t testing.TB, d *db.DB) *shop {
	t.Helper()
	s := &shop{t: t, db: d, desk: purchase.NewDesk(d, campaign.RewardTypes)}
	settings := store.DefaultSettings()
	settings.Timezone = "Europe/Warsaw"
	s.write(func(tx *db.Tx) (err error) {
		s.store, err = store.Create(tx, store.New{Code: "SHOP", Name: "Shop", Currency: "EUR", Settings: settings})
		if err != nil {
			return err
		}
		s.level, err = level.Create(tx, s.store, level.Level{
			Active: true, Reward: level.Reward{Name: "Bronze", Code: "B", Value: 500},
			Translations: []level.Translation{{Locale: "en", Name: "Bronze"}},
		})
		return err
	})
	return s
}

func (s *shop) write(run func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.db.Write(background, run); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) read(run func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.db.Read(background, run); err != nil {
		s.t.Fatal(err)
	}
}

// customers registers n active customers with whole points each.
func (s *shop) customers(n int, whole int64) []string {
	s.t.Helper()
	ids := make([]string, n)
	s.write(func(tx *db.Tx) error {
		for i := range ids {
			c, err := customer.Register(tx, s.store, customer.Registration{
				Email: fmt.Sprintf("c%d-%s@example.com", i, tx.NewID()), FirstName: "Ida", LastName: "Berg",
				Agreements: [3]bool{true}, Active: true,
			})
			if err != nil {
				return err
			}
			ids[i] = c.ID
			if whole == 0 {
				continue
			}
			_, err = points.Change(tx, s.owner(c.ID), func(w *points.Wallet) ([]event.Entry, error) {
				_, entry := w.Add(points.Grant{Value: decimal.Whole(whole), Issuer: points.ByAdmin, CreatedAt: tx.Now()})
				return []event.Entry{entry}, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return ids
}

func (s *shop) owner(id string) points.Owner { return points.Owner{Store: s.store, CustomerID: id} }

// campaign adds an active discount campaign of the shop's level; edit changes the draft.
func (s *shop) campaign(cost int64, codes int, edit func(*campaign.Draft)) string {
	s.t.Helper()
	draft := campaign.Draft{Campaign: campaign.Campaign{
		Reward: campaign.DiscountCode, Active: true, Cost: decimal.Whole(cost), Unlimited: true,
		Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
		Definition: campaign.Definition{
			Levels: []string{s.level.ID}, Translations: []campaign.Translation{{Locale: "en", Name: "Ten off"}},
		},
	}}
	for i := range codes {
		draft.Codes = append(draft.Codes, fmt.Sprintf("CODE%d", i))
	}
	if edit != nil {
		edit(&draft)
	}
	var id string
	s.write(func(tx *db.Tx) (err error) {
		id, err = campaign.Create(tx, s.store, draft)
		return err
	})
	return id
}

func (s *shop) buy(customerID, campaignID string, edit func(*purchase.Buy)) ([]purchase.Coupon, error) {
	b := purchase.Buy{Store: s.store, CustomerID: customerID, CampaignID: campaignID, Quantity: 1, Locale: "en"}
	if edit != nil {
		edit(&b)
	}
	return s.desk.Buy(background, b)
}

// outcome counts the results of many concurrent buyers.
type outcome struct {
	coupons  []purchase.Coupon
	refusals map[string]int
}

// rush makes all customers buy concurrently.
func (s *shop) rush(customers []string, campaignID string) outcome {
	s.t.Helper()
	o := outcome{refusals: map[string]int{}}
	var mutex sync.Mutex
	var all sync.WaitGroup
	for _, id := range customers {
		all.Go(func() {
			coupons, err := s.buy(id, campaignID, nil)
			mutex.Lock()
			defer mutex.Unlock()
			o.coupons = append(o.coupons, coupons...)
			if err != nil {
				o.refusals[err.Error()]++
			}
		})
	}
	all.Wait()
	return o
}

func (s *shop) account(id string) points.Account {
	s.t.Helper()
	var a points.Account
	s.read(func(tx *db.Tx) (err error) {
		a, err = points.Balance(tx, s.store, id)
		return err
	})
	return a
}

func (s *shop) counters(campaignID string) campaign.Counters {
	s.t.Helper()
	var k campaign.Counters
	s.read(func(tx *db.Tx) (err error) {
		_, k, err = s.desk.Catalogue.Find(tx, s.store.Key, campaignID)
		return err
	})
	return k
}

func name(engine string, campaigns, buyers int) string {
	return fmt.Sprintf("%s/campaigns=%d/buyers=%d", engine, campaigns, buyers)
}

func manyCodes(n int) []string {
	codes := make([]string, n)
	for i := range codes {
		codes[i] = fmt.Sprintf("C%07d", i)
	}
	return codes
}

// plan returns SQLite's query plan of a statement.
func plan(tx *db.Tx, text string, args []any) (string, error) {
	lines, err := db.All(tx, func(line *string) []any { return []any{new(int64), new(int64), new(int64), line} },
		"EXPLAIN QUERY PLAN "+text, args...)
	return strings.Join(lines, "\n"), err
}
