package segment

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
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
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(moment(t, "2031-07-03T10:00:00Z"))
			run(t, newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now), clock, "SHOP"))
		})
	}
}

// shop is a store whose customers are identified by their first names.
type shop struct {
	*shoptest.Shop
	svc   *Service
	clock *dbtest.Clock
	ids   map[string]string // of customers, by first name
	names map[string]string // the reverse
}

func newShop(t *testing.T, d *db.DB, clock *dbtest.Clock, code string) *shop {
	t.Helper()
	s := &shop{
		Shop: shoptest.Open(t, d, code, shoptest.InWarsaw, level.Level{Active: true}),
		svc:  New(), clock: clock, ids: map[string]string{}, names: map[string]string{},
	}
	feature.Connect(d, feature.On(s.svc.Counted))
	return s
}

// customer registers an active customer.
func (s *shop) customer(in customer.Registration) {
	s.Helper()
	in.Active = true
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Register(tx, s.Store, in)
		if err != nil {
			return err
		}
		s.ids[in.FirstName], s.names[c.ID] = c.ID, in.FirstName
		return s.svc.Recheck(tx, s.Store, c.ID)
	})
}

// change applies a change to a customer.
func (s *shop) change(name string, run func(tx *db.Tx, c *customer.Customer) error) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, s.Store, s.ids[name])
		if err != nil {
			return err
		}
		if err := run(tx, c); err != nil {
			return err
		}
		return s.svc.Recheck(tx, s.Store, c.ID)
	})
}

func (s *shop) label(name string, labels ...customer.Label) {
	s.Helper()
	s.change(name, func(tx *db.Tx, c *customer.Customer) error { return customer.SetLabels(tx, s.Store, c, labels) })
}

func (s *shop) deactivate(name string) {
	s.Helper()
	s.change(name, func(tx *db.Tx, c *customer.Customer) error { return customer.Deactivate(tx, s.Store, c.ID) })
}

func (s *shop) delete(name string) {
	s.Helper()
	s.change(name, func(tx *db.Tx, c *customer.Customer) error { return customer.Delete(tx, s.Store, c) })
}

// sell registers a sale or, depending on the document, a return, at a time such as 2031-07-01 12:00.
func (s *shop) sell(name, number, at string, doc transaction.Transaction) {
	s.Helper()
	doc.DocumentNumber, doc.CustomerData = number, transaction.CustomerData{Name: name, Email: name + "@example.com"}
	if doc.Type == "" {
		doc.Type = transaction.Sell
	}
	purchased, ok := form.ParseDateTime(at, s.Store.Zone)
	if !ok {
		s.Fatalf("no moment: %s", at)
	}
	doc.PurchasedAt = purchased.UTC()
	s.Write(func(tx *db.Tx) error {
		_, err := transaction.Register(tx, s.Store, doc, transaction.Hooks{})
		return err
	})
}

// item is an item with a value in whole units.
func item(sku string, value int64, labels ...transaction.Label) transaction.Item {
	return transaction.Item{
		SKU: transaction.SKU{Code: sku}, Name: sku, Quantity: 1_000, GrossValue: decimal.Whole(value).Money(), Category: "c",
		Maker: "Maker of " + sku, Labels: labels,
	}
}

// draft reads the form of a segment from lines like parts[0][criteria][0][type]=anniversary.
func (s *shop) draft(name string, lines ...string) Draft {
	s.Helper()
	fields := url.Values{"segment[name]": {name}, "segment[active]": {"1"}}
	for _, line := range lines {
		key, value, _ := cutLine(line)
		fields.Add("segment"+key, value)
	}
	node, err := form.ParseQuery(fields.Encode())
	if err != nil {
		s.Fatal(err)
	}
	group := form.Read(node).Group("segment")
	draft := s.svc.read(group, s.Store)
	if err := group.Err(); err != nil {
		s.Fatalf("%s: %+v", name, err)
	}
	return draft
}

// create adds an active segment and rebuilds it.
func (s *shop) create(name string, lines ...string) string {
	s.Helper()
	var made *Segment
	draft := s.draft(name, lines...)
	s.Write(func(tx *db.Tx) (err error) {
		made, err = s.svc.Create(tx, s.Store, draft)
		return err
	})
	s.rebuild(made.ID)
	return made.ID
}

func (s *shop) rebuild(id string) int64 {
	s.Helper()
	changed, err := s.svc.Rebuild(s.Context(), s.DB, s.Store.Key, id)
	if err != nil {
		s.Fatal(err)
	}
	return changed
}

func (s *shop) activate(id string, active bool) {
	s.Helper()
	s.Write(func(tx *db.Tx) error { return s.svc.SetActive(tx, s.Store, id, active) })
}

func (s *shop) find(id string) *Segment {
	s.Helper()
	var found *Segment
	s.Write(func(tx *db.Tx) (err error) {
		found, err = s.svc.find(tx, s.Store.Key, id)
		return err
	})
	return found
}

// members returns the names of the visible members of a segment, sorted.
func (s *shop) members(id string) []string {
	s.Helper()
	names := []string{}
	s.Write(func(tx *db.Tx) error {
		ids, err := Members(tx, s.Store.Key, id, "", 10_000)
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
	s.Helper()
	slices.Sort(names)
	if diff := cmp.Diff(append([]string{}, names...), s.members(id)); diff != "" {
		s.Errorf("members (-want +got): %s", diff)
	}
	s.Write(func(tx *db.Tx) error {
		counts, query := SelectCounts(tx, s.Store.Key, id)
		err := tx.Run(query)
		count := counts[id]
		if err != nil || count != int64(len(names)) {
			s.Errorf("counted %d, %v", count, err)
		}
		all, err := customer.TraitsAfter(tx, s.Store.Key, "", 10_000)
		var sums Totals
		for _, c := range all {
			of, err := OfCustomers(tx, s.Store.Key, c.ID)
			if err != nil {
				return err
			}
			in := slices.ContainsFunc(of[c.ID], func(one customer.Segment) bool { return one.ID == id })
			if in != slices.Contains(names, s.names[c.ID]) {
				s.Errorf("%s is in %v", s.names[c.ID], of[c.ID])
			}
			if in {
				sums.Members++
				sums.Transactions += c.Purchases.Count
				sums.Amount += c.Purchases.Amount
			}
		}
		if err != nil {
			return err
		}
		totals, err := totalsOf(tx, s.Store.Key, id)
		if diff := cmp.Diff(sums, totals[id]); diff != "" && len(names) > 0 {
			s.Errorf("totals (-want +got): %s", diff)
		}
		return err
	})
}
