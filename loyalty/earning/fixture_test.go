package earning

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

// shop is a store in Warsaw with two levels, in the lower of which everybody starts.
type shop struct {
	t              testing.TB
	db             *db.DB
	desk           *purchase.Desk
	store          *store.Store
	bronze, silver string         // levels
	seen           map[string]int // length of the lots that were looked at, by customer
}

func newShop(t testing.TB, d *db.DB, edits ...func(*store.Settings)) *shop {
	t.Helper()
	s := &shop{t: t, db: d, desk: purchase.NewDesk(d, campaign.RewardTypes)}
	settings := store.DefaultSettings()
	settings.Timezone = "Europe/Warsaw"
	for _, edit := range edits {
		edit(&settings)
	}
	s.write(func(tx *db.Tx) (err error) {
		s.store, err = store.Create(tx, store.New{Code: "SHOP", Name: "Shop", Currency: "EUR", Settings: settings})
		if err != nil {
			return err
		}
		if err := store.AddLanguage(tx, store.Language{Code: "en", Name: "English", Default: true}); err != nil {
			return err
		}
		for i, id := range []*string{&s.bronze, &s.silver} {
			name := []string{"Bronze", "Silver"}[i]
			made, err := level.Create(tx, s.store, level.Level{
				Active: true, ConditionValue: Amount(i).Money() * 10_000, Reward: level.Reward{Name: name, Code: name},
				Translations: []level.Translation{{Locale: "en", Name: name}},
			})
			if err != nil {
				return err
			}
			*id = made.ID
		}
		return nil
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

// customer registers an active customer.
func (s *shop) customer(edits ...func(*customer.Registration)) string {
	s.t.Helper()
	in := customer.Registration{
		Email: db.NewID() + "@example.com", FirstName: "Ida", LastName: "Berg", Agreements: [3]bool{true}, Active: true,
	}
	for _, edit := range edits {
		edit(&in)
	}
	var c *customer.Customer
	s.write(func(tx *db.Tx) (err error) {
		c, err = customer.Register(tx, s.store, in)
		return err
	})
	return c.ID
}

// rule adds a rule for everybody, always active, that pays the points; edits change it.
func (s *shop) rule(ruleType string, whole int64, edits ...func(*Rule)) *Rule {
	s.t.Helper()
	r := Rule{
		StoreKey: s.store.Key, ID: db.NewID(), Type: ruleType, Name: ruleType, Description: "About it", Active: true,
		AllTime: true, CreatedAt: s.db.Now(), Definition: Definition{
			Levels: []string{s.bronze, s.silver}, Points: Amount(whole) * 100,
		},
	}
	for _, edit := range edits {
		edit(&r)
	}
	s.write(func(tx *db.Tx) error { return table.Insert(tx, &r) })
	return &r
}

func named(eventName string) func(*Rule) {
	return func(r *Rule) { r.EventName, r.Name = eventName, eventName }
}

func limitedTo(uses int64, period string) func(*Rule) {
	return func(r *Rule) { r.Definition.Limit = Limit{true, period, uses} }
}

// report reports the custom event of the name, and returns the points or the refusal.
func (s *shop) report(customerID, eventName string) string {
	var paid Amount
	err := s.db.Write(background, func(tx *db.Tx) (err error) {
		paid, err = New(s.desk).Reported(tx, s.store, customerID, namedEvent(eventName))
		return err
	})
	if err != nil {
		return err.Error()
	}
	return paid.String()
}

// sold pays what a sale earns, and counts it.
func (s *shop) sold(sale *transaction.Transaction) error {
	return s.db.Write(background, func(tx *db.Tx) error {
		who, err := customer.Find(tx, s.store.Key, sale.CustomerID)
		if err != nil {
			return err
		}
		earnings, queries := New(s.desk).Earn(tx, s.store)
		if err := tx.Run(queries...); err != nil {
			return err
		}
		if err := earnings.Decide([]transaction.Sold{{Sale: sale, Buyer: who}}); err != nil {
			return err
		}
		members, err := membership.Lock(tx, s.store, append(earnings.Others(), who.ID)...)
		if err != nil {
			return err
		}
		buyer := members.Of(who.ID)
		if err := earnings.Pay(sale, buyer, members); err != nil {
			return err
		}
		members.Count(buyer, customer.Purchases{Count: 1, Amount: sale.Amounts.Gross, LastAt: sale.PurchasedAt})
		return members.Save()
	})
}

// sale is a sale to the customer, now.
func (s *shop) sale(customerID, lines string) *transaction.Transaction {
	s.t.Helper()
	sale := saleOf(s.t, lines)
	sale.StoreKey, sale.ID, sale.Type, sale.CustomerID = s.store.Key, db.NewID(), transaction.Sell, customerID
	sale.PurchasedAt = s.db.Now()
	return sale
}

func (s *shop) account(customerID string) points.Account {
	s.t.Helper()
	var a points.Account
	s.read(func(tx *db.Tx) (err error) {
		a, err = points.Balance(tx, s.store, customerID)
		return err
	})
	return a
}

// lots describes what a customer was given: "5 rule, 1 other".
func (s *shop) lots(customerID string) string {
	s.t.Helper()
	var texts []string
	s.read(func(tx *db.Tx) error {
		all, err := points.Every(tx, s.store.Key, customerID)
		for i := range all {
			texts = append(texts, all[i].Value.String()+" "+all[i].Comment)
		}
		return err
	})
	return strings.Join(texts, ", ")
}

// campaign adds an active campaign with as many codes.
func (s *shop) campaign(codes int, edits ...func(*campaign.Draft)) string {
	s.t.Helper()
	draft := campaign.Draft{Campaign: campaign.Campaign{
		Reward: campaign.DiscountCode, Active: true, Cost: 5_000, Unlimited: true,
		Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
		Definition: campaign.Definition{
			Levels: []string{s.silver}, Translations: []campaign.Translation{{Locale: "en", Name: "Ten off"}},
		},
	}}
	for i := range codes {
		draft.Codes = append(draft.Codes, fmt.Sprintf("CODE%d", i))
	}
	for _, edit := range edits {
		edit(&draft)
	}
	var id string
	s.write(func(tx *db.Tx) (err error) {
		id, err = campaign.Create(tx, s.store, draft)
		return err
	})
	return id
}

// lastEvents names the last events, oldest first, without the words that all share.
func (s *shop) lastEvents(n int) string {
	s.t.Helper()
	events, _, err := event.List(background, s.db, 1, n, true)
	if err != nil {
		s.t.Fatal(err)
	}
	text := ""
	for _, e := range events {
		text = " " + e.Type[strings.LastIndexByte(e.Type, '.')+1:] + text
	}
	return text[1:]
}

// atOnce runs f n times at once and counts the answers.
func atOnce(n int, f func(i int) string) map[string]int {
	answers := map[string]int{}
	var mutex sync.Mutex
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			answer := f(i)
			mutex.Lock()
			defer mutex.Unlock()
			answers[answer]++
		})
	}
	all.Wait()
	return answers
}
