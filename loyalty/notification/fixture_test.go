package notification_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// shop is a store in Warsaw with two levels, on a clock that moves only when it is set.
type shop struct {
	*testing.T
	config    db.Config
	db        *db.DB
	desk      *purchase.Desk
	clock     *dbtest.Clock
	store     *store.Store
	low, high string // levels
}

// eachShop runs the test with an empty shop on every database; it is 3 July 2031, noon there.
func eachShop(t *testing.T, run func(s *shop)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		s := &shop{T: t, config: dbtest.Config(t, engine), clock: &dbtest.Clock{}}
		s.at("2031-07-03T10:00:00Z")
		s.db = dbtest.Open(t, s.config, s.clock.Now)
		s.desk = purchase.NewDesk(s.db, campaign.RewardTypes)
		s.open()
		run(s)
	})
}

func (s *shop) at(moment string) { s.clock.Set(s.moment(moment)) }

func (s *shop) moment(text string) time.Time {
	s.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		s.Fatal(err)
	}
	return moment
}

func (s *shop) open() {
	settings := store.DefaultSettings()
	settings.Timezone = "Europe/Warsaw"
	s.write(func(tx *db.Tx) (err error) {
		if err = store.AddLanguage(tx, store.Language{Code: "en", Name: "English", Default: true}); err != nil {
			return err
		}
		s.store, err = store.Create(tx, store.New{Code: "SHOP", Name: "Shop", Currency: "EUR", Settings: settings})
		for name, to := range map[string]*string{"Low": &s.low, "High": &s.high} {
			if err != nil {
				return err
			}
			made := level.Level{Active: true, Translations: []level.Translation{{Locale: "en", Name: name}}}
			if name == "High" {
				made.ConditionValue = decimal.Whole(1000).Money()
			}
			var l *level.Level
			if l, err = level.Create(tx, s.store, made); err == nil {
				*to = l.ID
			}
		}
		return err
	})
}

func (s *shop) write(run func(tx *db.Tx) error) {
	s.Helper()
	if err := s.db.Write(context.Background(), run); err != nil {
		s.Fatal(err)
	}
}

func (s *shop) read(run func(tx *db.Tx) error) {
	s.Helper()
	if err := s.db.Read(context.Background(), run); err != nil {
		s.Fatal(err)
	}
}

// configure changes the settings of the store.
func (s *shop) configure(change func(settings *store.Settings)) {
	s.Helper()
	s.write(func(tx *db.Tx) (err error) {
		if s.store, err = store.Lock(tx, s.store.Key); err != nil {
			return err
		}
		change(&s.store.Settings)
		return store.Update(tx, s.store)
	})
}

// customers adds n active customers who agree to marketing. They are no newcomers, and enter the low level now.
func (s *shop) customers(n int) []string {
	s.Helper()
	ids := s.newcomers(n)
	s.write(func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE customer_arrivals SET quiet = FALSE WHERE store_id = $1`, s.store.Key)
		return err
	})
	return ids
}

// newcomers registers n active customers of the low level, who agree to marketing.
func (s *shop) newcomers(n int) []string {
	s.Helper()
	ids := make([]string, n)
	const atOnce = 500
	for from := 0; from < n; from += atOnce {
		s.write(func(tx *db.Tx) error {
			for i := from; i < min(n, from+atOnce); i++ {
				c, err := customer.Register(tx, s.store, customer.Registration{
					FirstName: fmt.Sprint(i), LastName: "Berg", Email: tx.NewID() + "@example.com", Active: true,
					Agreements: [3]bool{false, true, false},
				})
				if err != nil {
					return err
				}
				ids[i] = c.ID
			}
			return nil
		})
	}
	return ids
}

// campaign adds an active campaign for the low level with a text of its name; edit changes the draft.
func (s *shop) campaign(name string, edit func(*campaign.Draft)) string {
	s.Helper()
	draft := campaign.Draft{Codes: []string{"CODE"}, Campaign: campaign.Campaign{
		Reward: campaign.DiscountCode, Active: true, Unlimited: true, SingleCoupon: true,
		Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
		Definition: campaign.Definition{
			Levels: []string{s.low}, PushNotificationText: name,
			Translations: []campaign.Translation{{Locale: "en", Name: name}},
		},
	}}
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

func (s *shop) setActive(id string, active bool) {
	s.Helper()
	s.write(func(tx *db.Tx) error { return s.desk.Catalogue.SetActive(tx, s.store, id, active) })
}

func (s *shop) move(customerID, levelID string) {
	s.Helper()
	s.write(func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, s.store, customerID)
		if err != nil {
			return err
		}
		return customer.SetLevel(tx, s.store, c, levelID)
	})
}

// announces runs the job and expects it to notify this many customers.
func (s *shop) announces(want int64) {
	s.Helper()
	got, err := notification.Announce(s.desk)(context.Background(), s.db, s.store)
	if err != nil || got != want {
		s.Errorf("%d were notified, want %d: %v", got, want, err)
	}
}

// inboxes lists the notifications of all customers by id: kinds, or texts of campaigns.
func (s *shop) inboxes() map[string][]string {
	s.Helper()
	all := map[string][]string{}
	s.read(func(tx *db.Tx) error {
		type row struct {
			customerID, kind string
			details          notification.Details
		}
		return db.Each(tx, func(r *row) []any { return []any{&r.customerID, &r.kind, db.JSON(&r.details)} }, func(r row) {
			shown := r.kind
			if r.kind == "campaign" {
				shown = r.details.Text
			}
			all[r.customerID] = append(all[r.customerID], shown)
		}, `SELECT customer_id, kind, details FROM notifications ORDER BY notification_id`)
	})
	s.checkCounters(all)
	return all
}

// checkCounters compares the counters of inboxes with what is in them.
func (s *shop) checkCounters(all map[string][]string) {
	s.Helper()
	s.read(func(tx *db.Tx) error {
		type row struct {
			customerID string
			total      int
		}
		counted := map[string]int{}
		err := db.Each(tx, func(r *row) []any { return []any{&r.customerID, &r.total} },
			func(r row) { counted[r.customerID] = r.total }, `SELECT customer_id, total FROM inboxes`)
		for _, id := range slices.Collect(maps.Keys(all)) {
			if counted[id] != len(all[id]) {
				s.Errorf("%s has %d notifications, and %d are counted", id, len(all[id]), counted[id])
			}
		}
		return err
	})
}

// expect compares the notifications of some customers, in any order, separated by commas.
func (s *shop) expect(want string, ids ...string) {
	s.Helper()
	all := s.inboxes()
	for i, id := range ids {
		slices.Sort(all[id])
		if got := strings.Join(all[id], ","); got != want {
			s.Errorf("customer %d was notified of %q, want %q", i, got, want)
		}
	}
}

// number reads one number.
func (s *shop) number(query string, args ...any) (n int64) {
	s.Helper()
	s.read(func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, query, args...)
		return err
	})
	return n
}

// state is the row of an announcement: state, total, done and notified.
func (s *shop) state(campaignID string) (text string) {
	s.Helper()
	s.read(func(tx *db.Tx) error {
		type row struct {
			state                 string
			total, done, notified int64
		}
		r, _, err := db.One(tx, func(r *row) []any { return []any{&r.state, &r.total, &r.done, &r.notified} },
			`SELECT state, total, done, notified FROM announcements WHERE campaign_id = $1`, campaignID)
		text = fmt.Sprint(r.state, " ", r.total, " ", r.done, " ", r.notified)
		return err
	})
	return text
}

// stopAtCommit calls a function once, at the n-th commit from now on.
func stopAtCommit(d *db.DB, n int64, stop func()) {
	var commits atomic.Int64
	d.OnCommit(func() {
		if commits.Add(1) == n {
			stop()
		}
	})
}
