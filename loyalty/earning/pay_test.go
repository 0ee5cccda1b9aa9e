package earning

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestCustomEvent(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who, blocked := s.customer(), s.customer()
		s.write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.store, blocked) })
		s.rule(CustomEvent, 25, named("survey"))
		s.rule(CustomEvent, 7, named("off"), func(r *Rule) { r.Active = false })
		s.rule(CustomEvent, 7, named("silver only"), func(r *Rule) { r.Definition.Levels = []string{s.silver} })
		s.rule(CustomEvent, 7, named("elsewhere"), func(r *Rule) { r.Definition.POS = []string{otherID} })
		s.rule(Event, 7, named("no custom event"))
		for _, c := range []struct{ customer, event, want string }{
			{who, "survey", "25"}, {who, "survey", "25"}, {who, "SURVEY", "event does not exist"},
			{who, "unknown", "event does not exist"}, {who, "off", "event does not exist"},
			{who, "silver only", "event does not exist"}, {who, "elsewhere", "event does not exist"},
			{who, "no custom event", "event does not exist"}, {blocked, "survey", "event does not exist"},
		} {
			if got := s.report(c.customer, c.event); got != c.want {
				t.Errorf("%s: %s, want %s", c.event, got, c.want)
			}
		}
		if got := s.lots(who); got != "25 survey, 25 survey" {
			t.Errorf("lots %s", got)
		}
		if got := s.lots(blocked); got != "" {
			t.Errorf("a customer who is not active got %s", got)
		}
		if got := s.lastEvents(2); got != "PointsWereAdded PointsWereAdded" {
			t.Errorf("events %s", got)
		}
	})
}

func TestLimitHoldsUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		first, second := s.customer(), s.customer()
		r := s.rule(CustomEvent, 10, named("visit"), limitedTo(7, "day"))
		answers := atOnce(200, func(i int) string { return s.report([]string{first, second}[i%2], "visit") })
		if diff := cmp.Diff(map[string]int{"10": 14, "limit exceeded": 186}, answers); diff != "" {
			t.Error(diff)
		}
		for _, who := range []string{first, second} {
			if a := s.account(who); a.Points != 7_000 {
				t.Errorf("balance %v", a.Points)
			}
		}
		var uses []use
		s.read(func(tx *db.Tx) (err error) {
			uses, err = newestUses(tx, r, 1000)
			return err
		})
		if len(uses) != 14 {
			t.Errorf("%d uses", len(uses))
		}
	})
}

// Two nodes pay for the same rule.
func TestTwoNodesShareALimit(t *testing.T) {
	dbtest.Both(t)
	config := dbtest.Config(t, "postgres")
	s := newShop(t, dbtest.Open(t, config, time.Now))
	other := *s
	other.db = dbtest.Open(t, config, time.Now)
	who := s.customer()
	s.rule(CustomEvent, 1, named("visit"), limitedTo(5, "forever"))
	answers := atOnce(100, func(i int) string { return []*shop{s, &other}[i%2].report(who, "visit") })
	if diff := cmp.Diff(map[string]int{"1": 5, "limit exceeded": 95}, answers); diff != "" {
		t.Error(diff)
	}
}

func TestLimitBeginsAnewWithItsWindow(t *testing.T) {
	zone := warsaw(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := dbtest.NewClock(time.Date(2031, 5, 31, 23, 59, 59, 0, zone))
			s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), c.Now))
			who := s.customer()
			r := s.rule(CustomEvent, 1, named("visit"), limitedTo(2, "month"))
			const used = "limit exceeded"
			for _, step := range []struct {
				now  time.Time
				want []string
			}{
				{c.Now(), []string{"1", "1", used}},
				{time.Date(2031, 6, 1, 0, 0, 0, 0, zone), []string{"1"}},
				{time.Date(2031, 6, 30, 23, 59, 59, 0, zone), []string{"1", used}},
				{time.Date(2031, 7, 1, 0, 0, 0, 0, zone), []string{"1", "1", used}},
			} {
				c.Set(step.now)
				for i, want := range step.want {
					if got := s.report(who, "visit"); got != want {
						t.Errorf("%s, use %d: %s, want %s", step.now, i, got, want)
					}
				}
			}
			// Uses are kept: a longer window counts those of before.
			r.Definition.Limit = Limit{true, "year", 7}
			s.write(func(tx *db.Tx) error { return updateRule(tx, r) })
			if first, second := s.report(who, "visit"), s.report(who, "visit"); first != "1" || second != used {
				t.Errorf("with 6 uses of 7 in the year: %s, %s", first, second)
			}
		})
	}
}

func TestCodesAndPlaces(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		code := func(code string) func(*Rule) { return func(r *Rule) { r.Name, r.Definition.Code = code, code } }
		s.rule(QRCode, 5, code("A"))
		single := s.rule(QRCode, 3, code("A"), limitedTo(1, "forever"))
		s.rule(QRCode, 2, code("B"), limitedTo(1, "forever"))
		around := func(place Place) func(*Rule) {
			return func(r *Rule) { r.Definition.Circle = Circle{Place: place, Radius: 200} }
		}
		oslo := at(t, "59.9139", "10.7522")
		s.rule(Geolocation, 10, around(oslo))
		s.rule(Geolocation, 20, around(at(t, "59.9400", "10.7522")))
		scan := func(code string) func(*Rule) bool { return func(r *Rule) bool { return r.Definition.Code == code } }
		visit := func(latitude, longitude string) func(*Rule) bool {
			return func(r *Rule) bool { return r.Definition.Circle.contains(at(t, latitude, longitude)) }
		}
		who := s.customer()
		for _, c := range []struct {
			name    string
			kind    string
			matches func(*Rule) bool
			want    string
		}{
			{"both rules", QRCode, scan("A"), "8"},
			{"one is used up", QRCode, scan("A"), "5"},
			{"only the one", QRCode, func(r *Rule) bool { return r.ID == single.ID }, "limit exceeded"},
			{"once", QRCode, scan("B"), "2"},
			{"twice", QRCode, scan("B"), "limit exceeded"},
			{"case counts", QRCode, scan("a"), "event does not exist"},
			{"between both", Geolocation, visit("59.9270", "10.7522"), "30"},
			{"in one", Geolocation, visit("59.9139", "10.7522"), "10"},
			{"in none", Geolocation, visit("60.9139", "10.7522"), "event does not exist"},
		} {
			var paid Amount
			err := s.db.Write(background, func(tx *db.Tx) (err error) {
				paid, err = New(s.desk).Reported(tx, s.store, who, Report{Type: c.kind, Matches: c.matches})
				return err
			})
			got := paid.String()
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
		if got := s.lots(who); got != "5 A, 3 A, 5 A, 2 B, 10 geolocation, 20 geolocation, 10 geolocation" {
			t.Errorf("lots %s", got)
		}
	})
}

func TestEventsPayByTheBestRule(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		pays := func(eventName, name string) func(*Rule) {
			return func(r *Rule) { r.EventName, r.Name = eventName, name }
		}
		s.rule(Event, 5, pays(loggedIn, "small"))
		s.rule(Event, 9, pays(loggedIn, "best"))
		s.rule(Event, 50, pays(loggedIn, "for others"), func(r *Rule) { r.Definition.Levels = []string{s.silver} })
		s.rule(Event, 70, pays(accountCreated, "welcome"), func(r *Rule) { r.Definition.Levels = nil })
		s.rule(Event, 90, pays(accountCreated, "off"), func(r *Rule) { r.Active = false })
		who := s.customer(func(in *customer.Registration) { in.Active = false })
		s.write(func(tx *db.Tx) error {
			c, err := customer.Find(tx, s.store.Key, who)
			if err != nil {
				return err
			}
			return New(s.desk).registered(tx, s.store, customer.Registered{Customers: []*customer.Customer{c}})
		})
		logIn := func() {
			s.write(func(tx *db.Tx) error { return New(s.desk).loggedIn(tx, s.store, auth.LoggedIn{CustomerID: who}) })
		}
		logIn() // is not active
		s.write(func(tx *db.Tx) error { return customer.Activate(tx, s.store, who) })
		logIn()
		logIn()
		s.write(func(tx *db.Tx) error { return New(s.desk).happened(tx, s.store, who, newsletter) }) // no rule
		if got := s.lots(who); got != "70 welcome, 9 best, 9 best" {
			t.Errorf("lots %s", got)
		}
	})
}

// Customers who are imported together get what each would get alone, and with as many reads as one of them.
func TestImportedCustomersArePaidTogether(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var reads atomic.Int64
		config := dbtest.Config(t, engine)
		config.Trace = func(query string, _ []any) {
			if strings.HasPrefix(query, "SELECT") { // SQLite inserts rows one by one
				reads.Add(1)
			}
		}
		s := newShop(t, dbtest.Open(t, config, time.Now))
		welcome := func(name string, shops ...string) func(*Rule) {
			return func(r *Rule) { r.EventName, r.Name, r.Definition.POS = accountCreated, name, shops }
		}
		s.rule(Event, 5, welcome("welcome"))
		s.rule(Event, 9, welcome("opening", otherID))
		var added []*customer.Customer
		for i := range 40 {
			id := s.customer()
			s.write(func(tx *db.Tx) error {
				c, err := customer.Find(tx, s.store.Key, id)
				if err == nil && i%4 == 0 {
					err = customer.AssignPOS(tx, s.store, c, otherID)
				}
				added = append(added, c)
				return err
			})
		}
		run := func(customers ...*customer.Customer) int64 {
			before := reads.Load()
			s.write(func(tx *db.Tx) error { return New(s.desk).payNew(tx, s.store, customers...) })
			return reads.Load() - before
		}
		alone, together := run(added[0]), run(added[1:]...)
		if together > alone {
			t.Errorf("%d reads for one customer, %d for %d", alone, together, len(added)-1)
		}
		for i, c := range added {
			want := "5 welcome"
			if i%4 == 0 {
				want = "9 opening"
			}
			if got := s.lots(c.ID); got != want {
				t.Errorf("lots %s, want %s", got, want)
			}
		}
	})
}

func TestNewsletterPaysOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.rule(Event, 5, named(newsletter))
		who, gone := s.customer(), s.customer()
		change := func(id string, from, to bool, status string) {
			s.write(func(tx *db.Tx) error {
				before, err := customer.Find(tx, s.store.Key, id)
				if err != nil {
					return err
				}
				before.Agreements[1] = from
				after := *before
				after.Agreements[1], after.Status = to, status
				return New(s.desk).changed(tx, s.store, customer.Changed{Before: before, After: &after})
			})
		}
		change(gone, false, true, customer.Deleted)
		for _, step := range []struct {
			from, to bool
			want     string
		}{
			{false, false, ""}, {true, true, ""}, {true, false, ""}, {false, true, "5 " + newsletter},
			{true, false, "5 " + newsletter}, {false, true, "5 " + newsletter},
		} {
			change(who, step.from, step.to, customer.Active)
			if got := s.lots(who); got != step.want {
				t.Errorf("from %t to %t: %q, want %q", step.from, step.to, got, step.want)
			}
		}
		if got := s.lots(gone); got != "" {
			t.Errorf("a deleted customer got %s", got)
		}
	})
}

// Points count for the level at once where the program's levels measure points.
func TestEarnedPointsLiftALevel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, func(settings *store.Settings) { settings.TierAssignType = store.TierPoints })
		s.rule(CustomEvent, 60, named("visit"))
		who := s.customer()
		for i, want := range []string{s.bronze, s.silver} {
			if got := s.report(who, "visit"); got != "60" {
				t.Fatalf("visit: %s", got)
			}
			s.read(func(tx *db.Tx) error {
				c, err := customer.Find(tx, s.store.Key, who)
				if c.LevelID != want {
					t.Errorf("after visit %d in the wrong level", i)
				}
				return err
			})
		}
		if got := s.lastEvents(2); got != "PointsWereAdded CustomerWasMovedToLevel" {
			t.Errorf("events %s", got)
		}
	})
}

func TestUsableNow(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.customer()
		now := s.db.Now()
		window := func(from, to int) func(*Rule) {
			return func(r *Rule) {
				r.AllTime, r.StartAt, r.EndAt = false, now.Add(time.Duration(from)*time.Hour), now.Add(time.Duration(to)*time.Hour)
			}
		}
		spending := s.rule(Spending, 0)
		current := s.rule(QRCode, 1, window(-1, 1))
		left := s.rule(CustomEvent, 1, named("left"), limitedTo(2, "year"))
		usedUp := s.rule(CustomEvent, 1, named("used up"), limitedTo(1, "year"))
		s.rule(QRCode, 1, window(1, 2))
		s.rule(QRCode, 1, window(-2, -1))
		s.rule(QRCode, 1, func(r *Rule) { r.Active = false })
		s.rule(QRCode, 1, func(r *Rule) { r.Definition.Levels = []string{s.silver} })
		s.rule(QRCode, 1, func(r *Rule) { r.Definition.POS = []string{otherID} })
		s.rule(Event, 1, named(accountCreated), func(r *Rule) { r.Definition.Levels = nil })
		s.report(who, left.EventName)
		s.report(who, usedUp.EventName)
		check := func(customerID string, want ...string) {
			t.Helper()
			var ids []string
			s.read(func(tx *db.Tx) error {
				rules, err := New(s.desk).UsableNow(tx, s.store, customerID)
				for i := range rules {
					ids = append(ids, rules[i].ID)
				}
				return err
			})
			slices.Sort(want)
			slices.Sort(ids)
			if diff := cmp.Diff(want, ids); diff != "" {
				t.Error(diff)
			}
		}
		check(who, spending.ID, current.ID, left.ID)
		check(s.customer(), spending.ID, current.ID, left.ID, usedUp.ID)
	})
}
