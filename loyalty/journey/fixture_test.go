package journey

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// shop is a store in Warsaw whose levels are reached by money.
type shop struct {
	campaigntest.Shop
	svc   *Service
	clock *dbtest.Clock
	sales int
	// statement runs before each statement; nil for nothing.
	statement atomic.Pointer[func()]
}

// onShop runs a test at 11:00 in Warsaw on 10 January 2031.
func onShop(t *testing.T, run func(t *testing.T, s *shop)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		s := &shop{clock: dbtest.NewClock(time.Date(2031, 1, 10, 10, 0, 0, 0, time.UTC))}
		config := dbtest.Config(t, engine)
		config.Trace = func(string, []any) {
			if do := s.statement.Load(); do != nil {
				(*do)()
			}
		}
		d := dbtest.Open(t, config, s.clock.Now)
		s.Shop = campaigntest.Open(t, d, func(settings *store.Settings) { settings.PointsDaysActiveCount = 60 },
			shoptest.Level("Bronze", 0), shoptest.Level("Silver", 500), shoptest.Level("Gold", 560))
		mailings := mailing.New(&message.Config{Links: message.Links{Base: "https://api.example"}, Mailbox: true}, nil)
		s.svc = New(mailings, purchase.NewDesk(d, campaign.RewardTypes))
		run(t, s)
		s.isConsistent()
	})
}

// isConsistent verifies the rules of journeys, mailings, points and purchases.
func (s *shop) isConsistent() {
	s.Helper()
	rules := append(s.svc.Feature(s.DB).Rules, mailing.New(nil, nil).Feature(s.DB).Rules...)
	rules = append(append(rules, points.Rules()...), purchase.Rules(campaign.RewardTypes)...)
	_, err := check.Run(context.Background(), s.DB, rules, check.Report{
		Begin: func(string, int, int) {}, More: func(string, int64) {},
		Finding: func(f check.Finding) { s.Error(f) },
	})
	if err != nil {
		s.Error(err)
	}
}

// member registers an active customer who agrees to marketing, as requests do.
func (s *shop) member(edits ...func(*customer.Registration)) string {
	s.Helper()
	agrees := func(r *customer.Registration) { r.Agreements[1] = true }
	id := s.Customer(append([]func(*customer.Registration){agrees}, edits...)...)
	s.Write(func(tx *db.Tx) error { return joined(tx, s.Store, id) })
	return id
}

func born(date string) func(*customer.Registration) {
	return func(r *customer.Registration) { r.BirthDate = date }
}

// start makes a journey of a recipe by e-mail and turns it on.
func (s *shop) start(recipe string, edit func(j *Journey)) string {
	s.Helper()
	j := &Journey{StoreKey: s.Store.Key, Recipe: recipe, Name: "Hello", Content: Content{
		Channels: []string{template.Email}, OutcomeDays: 7,
		Words: mailing.Words{Link: "https://shop.example", Texts: map[string]mailing.Text{
			"en": {Subject: "Hello", Content: "Dear {{ first_name }}: {{ link }}"},
		}},
	}}
	if edit != nil {
		edit(j)
	}
	s.Write(func(tx *db.Tx) error {
		j.ID, j.CreatedAt = tx.NewID(), tx.Now()
		j.turnOn(tx)
		return table.Insert(tx, j)
	})
	return j.ID
}

// edit changes a journey.
func (s *shop) edit(id string, change func(tx *db.Tx, j *Journey)) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		j, err := lock(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		change(tx, j)
		return save(tx, j)
	})
}

// run runs the jobs.
func (s *shop) run() {
	s.Helper()
	if _, err := Receipts(s.DB)(s.Context()); err != nil {
		s.Fatal(err)
	}
	if _, err := s.svc.Run(s.Context(), s.DB, s.Store); err != nil {
		s.Fatal(err)
	}
}

// pass moves the clock and runs the jobs.
func (s *shop) pass(d time.Duration) {
	s.Helper()
	s.clock.Advance(d)
	s.run()
}

const day = 24 * time.Hour

// days lets days pass, on each of which the jobs run.
func (s *shop) days(n int) {
	s.Helper()
	for range n {
		s.pass(day)
	}
}

// buys registers a sale of whole units.
func (s *shop) buys(customerID string, whole int64) string {
	s.Helper()
	s.sales++
	var id string
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.Store.Key, customerID)
		if err != nil {
			return err
		}
		made, err := transaction.Register(tx, s.Store, transaction.Transaction{
			DocumentNumber: fmt.Sprint("S-", s.sales), Type: transaction.Sell, PurchasedAt: tx.Now(),
			Items: []transaction.Item{{
				SKU: transaction.SKU{Code: "TEA"}, Name: "Tea", Quantity: 1_000, GrossValue: decimal.Whole(whole).Money(),
				Category: "drinks",
			}},
			CustomerData: transaction.CustomerData{Name: "Ida", Email: c.Email},
		}, transaction.Hooks{})
		if err == nil {
			id = made.ID
		}
		return err
	})
	return id
}

// counts returns what happened in a journey, such as "2 sent, 1 gifts, over 1".
func (s *shop) counts(id string) string {
	s.Helper()
	var parts []string
	s.Read(func(tx *db.Tx) error {
		j, err := findJourney(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		parts = append(parts, fmt.Sprintf("%d sent", j.Sent))
		if j.Gifts > 0 {
			parts = append(parts, fmt.Sprintf("%d gifts", j.Gifts))
		}
		n, err := waiting(tx, s.Store.Key, id)
		if n.Waiting > 0 {
			parts = append(parts, fmt.Sprintf("%d waiting", n.Waiting))
		}
		for _, reason := range []string{reasonOff, reasonCustomer, reasonUnreachable, reasonCondition, reasonOver,
			reasonCapped, reasonGift, reasonBefore} {
			if j.Skipped[reason] > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", reason, j.Skipped[reason]))
			}
		}
		return err
	})
	return strings.Join(parts, ", ")
}

func (s *shop) expect(id, want string) {
	s.Helper()
	if got := s.counts(id); got != want {
		s.Errorf("%s: %s, want %s", s.clock.Now().Format(time.DateTime), got, want)
	}
}

// mails returns the e-mails of mailings and journeys to a customer, the newest first.
func (s *shop) mails(customerID string) (found []message.Delivery) {
	s.Helper()
	s.Read(func(tx *db.Tx) error {
		all, err := message.Of(tx, s.Store.Key, customerID, "", 100)
		for _, d := range all {
			if d.Event == template.Mailing {
				found = append(found, d)
			}
		}
		return err
	})
	return found
}

// gift returns an edit of a journey that gives whole points.
func gift(whole int64) func(j *Journey) {
	return func(j *Journey) { j.Content.Gift = Gift{Points: decimal.Whole(whole), ValidDays: 30} }
}

func textOf(text string) mailing.Text {
	return mailing.Text{Subject: "Hello", Content: text, Short: text}
}

// spend takes whole points of a customer.
func (s *shop) spend(customerID string, whole int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		_, err := points.Change(tx, s.Owner(customerID), func(w *points.Wallet) ([]event.Entry, error) {
			_, entry, err := w.Spend(decimal.Whole(whole), "", points.ByAdmin)
			return []event.Entry{entry}, err
		})
		return err
	})
}
