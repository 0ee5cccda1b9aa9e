package segment

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// moment reads one in RFC 3339.
func moment(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// eachShop runs the test with an empty shop in Warsaw on every database; it is 3 July 2031, noon there.
func eachShop(t *testing.T, run func(t *testing.T, s *shop)) {
	t.Helper()
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(moment(t, "2031-07-03T10:00:00Z"))
			run(t, newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now), clock, "SHOP"))
		})
	}
}

// shop is a store whose customers are identified by their first names.
type shop struct {
	t     *testing.T
	db    *db.DB
	svc   *Service
	clock *dbtest.Clock
	store *store.Store
	ids   map[string]string // of customers, by first name
	names map[string]string // the reverse
	hooks transaction.Hooks
}

func newShop(t *testing.T, d *db.DB, clock *dbtest.Clock, code string) *shop {
	t.Helper()
	s := &shop{t: t, db: d, svc: New(), clock: clock, ids: map[string]string{}, names: map[string]string{}}
	s.hooks.Counted = s.svc.Recheck
	settings := store.DefaultSettings()
	settings.Timezone = "Europe/Warsaw"
	s.write(func(tx *db.Tx) (err error) {
		if s.store, err = store.Create(tx, store.New{Code: code, Currency: "EUR", Settings: settings}); err != nil {
			return err
		}
		_, err = level.Create(tx, s.store, level.Level{Active: true})
		return err
	})
	return s
}

func (s *shop) write(run func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.db.Write(s.t.Context(), run); err != nil {
		s.t.Fatal(err)
	}
}

// configure changes the settings of the store.
func (s *shop) configure(change func(settings *store.Settings)) {
	s.t.Helper()
	s.write(func(tx *db.Tx) error {
		locked, err := store.Lock(tx, s.store.Key)
		if err != nil {
			return err
		}
		change(&locked.Settings)
		return store.Update(tx, locked)
	})
}

// customer registers an active customer.
func (s *shop) customer(in customer.Registration) {
	s.t.Helper()
	in.Active = true
	s.write(func(tx *db.Tx) error {
		c, err := customer.Register(tx, s.store, in)
		if err != nil {
			return err
		}
		s.ids[in.FirstName], s.names[c.ID] = c.ID, in.FirstName
		return s.svc.Recheck(tx, s.store, c.ID)
	})
}

// change applies a change to a customer.
func (s *shop) change(name string, run func(tx *db.Tx, c *customer.Customer) error) {
	s.t.Helper()
	s.write(func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, s.store, s.ids[name])
		if err != nil {
			return err
		}
		if err := run(tx, c); err != nil {
			return err
		}
		return s.svc.Recheck(tx, s.store, c.ID)
	})
}

func (s *shop) label(name string, labels ...customer.Label) {
	s.t.Helper()
	s.change(name, func(tx *db.Tx, c *customer.Customer) error { return customer.SetLabels(tx, s.store, c, labels) })
}

func (s *shop) deactivate(name string) {
	s.t.Helper()
	s.change(name, func(tx *db.Tx, c *customer.Customer) error { return customer.Deactivate(tx, s.store, c.ID) })
}

func (s *shop) delete(name string) {
	s.t.Helper()
	s.change(name, func(tx *db.Tx, c *customer.Customer) error { return customer.Delete(tx, s.store, c) })
}

// sell registers a sale or, depending on the document, a return, at a time such as 2031-07-01 12:00.
func (s *shop) sell(name, number, at string, doc transaction.Transaction) {
	s.t.Helper()
	doc.DocumentNumber, doc.CustomerData = number, transaction.CustomerData{Name: name, Email: name + "@example.com"}
	if doc.Type == "" {
		doc.Type = transaction.Sell
	}
	purchased, ok := form.ParseDateTime(at, s.store.Zone)
	if !ok {
		s.t.Fatalf("no moment: %s", at)
	}
	doc.PurchasedAt = purchased.UTC()
	s.write(func(tx *db.Tx) error {
		_, err := transaction.Register(tx, s.store, doc, s.hooks)
		return err
	})
}

// item is an item with a value in whole units.
func item(sku string, value int64, labels ...transaction.Label) transaction.Item {
	return transaction.Item{
		SKU: transaction.SKU{Code: sku}, Name: sku, Quantity: 1, GrossValue: decimal.Whole(value), Category: "c",
		Maker: "Maker of " + sku, Labels: labels,
	}
}

// draft reads the form of a segment from lines like parts[0][criteria][0][type]=anniversary.
func (s *shop) draft(name string, lines ...string) Draft {
	s.t.Helper()
	fields := url.Values{"segment[name]": {name}, "segment[active]": {"1"}}
	for _, line := range lines {
		key, value, _ := cutLine(line)
		fields.Add("segment"+key, value)
	}
	node, err := form.ParseQuery(fields.Encode())
	if err != nil {
		s.t.Fatal(err)
	}
	group := form.Read(node).Group("segment")
	draft := s.svc.read(group)
	if err := group.Err(); err != nil {
		s.t.Fatalf("%s: %+v", name, err)
	}
	return draft
}

// create adds an active segment and rebuilds it.
func (s *shop) create(name string, lines ...string) string {
	s.t.Helper()
	var made *Segment
	draft := s.draft(name, lines...)
	s.write(func(tx *db.Tx) (err error) {
		made, err = s.svc.Create(tx, s.store, draft)
		return err
	})
	s.rebuild(made.ID)
	return made.ID
}

func (s *shop) rebuild(id string) int64 {
	s.t.Helper()
	changed, err := s.svc.Rebuild(s.t.Context(), s.db, s.store.Key, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return changed
}

func (s *shop) activate(id string, active bool) {
	s.t.Helper()
	s.write(func(tx *db.Tx) error { return s.svc.SetActive(tx, s.store, id, active) })
}

func (s *shop) find(id string) *Segment {
	s.t.Helper()
	var found *Segment
	s.write(func(tx *db.Tx) (err error) {
		found, err = s.svc.find(tx, s.store.Key, id)
		return err
	})
	return found
}

// members returns the names of the visible members of a segment, sorted.
func (s *shop) members(id string) []string {
	s.t.Helper()
	names := []string{}
	s.write(func(tx *db.Tx) error {
		ids, err := Members(tx, s.store.Key, id, "", 10_000)
		for _, id := range ids {
			names = append(names, s.names[id])
		}
		return err
	})
	slices.Sort(names)
	return names
}

// expect compares the members that each query returns, and the totals.
func (s *shop) expect(id string, names ...string) {
	s.t.Helper()
	slices.Sort(names)
	if diff := cmp.Diff(append([]string{}, names...), s.members(id)); diff != "" {
		s.t.Errorf("members (-want +got): %s", diff)
	}
	s.write(func(tx *db.Tx) error {
		count, err := Count(tx, s.store.Key, id)
		if err != nil || count != int64(len(names)) {
			s.t.Errorf("counted %d, %v", count, err)
		}
		all, err := customer.TraitsAfter(tx, s.store.Key, "", 10_000)
		var sums Totals
		for _, c := range all {
			in, err := Of(tx, s.store.Key, c.ID)
			if err != nil {
				return err
			}
			if slices.Contains(in, id) != slices.Contains(names, s.names[c.ID]) {
				s.t.Errorf("%s is in %v", s.names[c.ID], in)
			}
			if slices.Contains(in, id) {
				sums.Members++
				sums.Transactions += c.Purchases.Count
				sums.Amount += c.Purchases.Amount
			}
		}
		if err != nil {
			return err
		}
		totals, err := totalsOf(tx, s.store.Key, id)
		if diff := cmp.Diff(sums, totals[id]); diff != "" && len(names) > 0 {
			s.t.Errorf("totals (-want +got): %s", diff)
		}
		return err
	})
}
