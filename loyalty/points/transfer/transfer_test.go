package transfer_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// shop is a store with the accounts of ida and ole and their transfers, which are named by their comments.
type shop struct {
	t        *testing.T
	db       *db.DB
	clock    *dbtest.Clock
	store    *store.Store
	ida, ole string
}

func newShop(t *testing.T, d *db.DB, c *dbtest.Clock, code string) *shop {
	t.Helper()
	s := &shop{t: t, db: d, clock: c, ida: db.NewID(), ole: db.NewID()}
	s.write(func(tx *db.Tx) (err error) {
		s.store, err = store.Create(tx, store.New{Code: code, Currency: "EUR", Settings: store.DefaultSettings()})
		for _, id := range []string{s.ida, s.ole} {
			if err == nil {
				_, err = points.Open(tx, s.store, id)
			}
		}
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

func (s *shop) change(who string, decide func(w *points.Wallet) (event.Entry, error)) {
	s.t.Helper()
	s.write(func(tx *db.Tx) error {
		_, err := points.Change(tx, points.Owner{Store: s.store, CustomerID: who},
			func(w *points.Wallet) ([]event.Entry, error) {
				entry, err := decide(w)
				return []event.Entry{entry}, err
			})
		return err
	})
}

func (s *shop) grant(who, comment string, whole int64, days int) (id string) {
	s.t.Helper()
	s.change(who, func(w *points.Wallet) (event.Entry, error) {
		lot, entry := w.Add(points.Grant{
			Value: decimal.Whole(whole), Comment: comment, Issuer: points.ByAdmin, ValidDays: days, CreatedAt: s.clock.Now(),
		})
		id = lot.ID
		return entry, nil
	})
	return id
}

// fill makes one transfer of each kind that filters distinguish.
func (s *shop) fill() {
	s.t.Helper()
	s.grant(s.ida, "short", 30, 1)
	s.grant(s.ida, "long", 20, 90)
	s.grant(s.ole, "other", 100, 90)
	canceled := s.grant(s.ole, "mistake", 5, 90)
	s.change(s.ole, func(w *points.Wallet) (event.Entry, error) {
		lot, err := w.Transfer(canceled)
		if err != nil {
			return event.Entry{}, err
		}
		return w.Cancel(lot)
	})
	s.change(s.ole, func(w *points.Wallet) (event.Entry, error) {
		_, entry, err := w.Spend(decimal.Whole(40), "coffee", points.BySystem)
		return entry, err
	})
	s.change(s.ole, func(w *points.Wallet) (event.Entry, error) {
		_, entry, err := w.Block(decimal.Whole(10), "held", points.BySystem)
		return entry, err
	})
	s.clock.Advance(3 * 24 * time.Hour)
	s.change(s.ida, func(w *points.Wallet) (event.Entry, error) { // settles the expired lot
		_, entry, err := w.Spend(decimal.Whole(1), "tea", points.BySystem)
		return entry, err
	})
	s.store.Settings.AllTimeNotLocked, s.store.Settings.PointsDaysLocked = false, 5
	s.grant(s.ida, "locked", 7, 90)
}

func newClock() *dbtest.Clock { return dbtest.NewClock(time.Date(2031, 3, 3, 10, 15, 0, 0, time.UTC)) }

func comments(found []points.Transfer) string {
	var all []string
	for _, t := range found {
		all = append(all, t.Comment)
	}
	return strings.Join(all, " ")
}

func TestFiltersOfTheList(t *testing.T) {
	dbtest.Both(t)
	const everything = "locked tea held coffee mistake other long short"
	forEach(t, func(t *testing.T, s *shop) {
		for _, c := range []struct {
			name   string
			filter points.Filter
			want   string
		}{
			{"none", points.Filter{}, everything},
			{"customer", points.Filter{CustomerID: s.ida}, "locked tea long short"},
			{"another customer", points.Filter{CustomerID: s.ole}, "held coffee mistake other"},
			{"unknown customer", points.Filter{CustomerID: db.NewID()}, ""},
			{"no id", points.Filter{CustomerID: "ida"}, ""},
			{"pending", points.Filter{States: []string{points.Pending}}, "locked"},
			{"expired", points.Filter{States: []string{points.Expired}}, "short"},
			{"canceled", points.Filter{States: []string{points.Canceled}}, "mistake"},
			{"active", points.Filter{States: []string{points.Active}}, "tea held coffee other long"},
			{"two states", points.Filter{States: []string{points.Expired, points.Pending}}, "locked short"},
			{"adding", points.Filter{Types: []string{points.Adding}}, "locked mistake other long short"},
			{"spending", points.Filter{Types: []string{points.Spending}}, "tea coffee"},
			{"blocked", points.Filter{Types: []string{points.Blocked}}, "held"},
			{"two types", points.Filter{Types: []string{points.Blocked, points.Spending}}, "tea held coffee"},
			{"p2p", points.Filter{Types: []string{points.P2PAdding, points.P2PSpending}}, ""},
			{"state and type", points.Filter{States: []string{points.Active}, Types: []string{points.Adding}}, "other long"},
			{"all three", points.Filter{CustomerID: s.ida, States: []string{points.Active}, Types: []string{points.Adding}},
				"long"},
			{"unknown state", points.Filter{States: []string{"lost"}}, ""},
			{"unknown and known type", points.Filter{Types: []string{"lost", points.Blocked}}, "held"},
		} {
			s.write(func(tx *db.Tx) error {
				found, total, err := points.List(tx, s.store.Key, c.filter, api.Page{Limit: 100})
				if got := comments(found); got != c.want || total != int64(len(strings.Fields(c.want))) {
					t.Errorf("%s: %q, total %d, want %q", c.name, got, total, c.want)
				}
				return err
			})
		}
	})
}

func TestOrderAndPagesOfTheList(t *testing.T) {
	dbtest.Both(t)
	forEach(t, func(t *testing.T, s *shop) {
		type asked struct {
			page api.Page
			want string
		}
		check := func(filter points.Filter, all int64, cases ...asked) {
			for _, c := range cases {
				s.write(func(tx *db.Tx) error {
					found, total, err := points.List(tx, s.store.Key, filter, c.page)
					if got := comments(found); got != c.want || total != all {
						t.Errorf("%+v: %q, total %d, want %q", c.page, got, total, c.want)
					}
					return err
				})
			}
		}
		check(points.Filter{}, 8, []asked{
			{api.Page{Limit: 3}, "locked tea held"},
			{api.Page{Limit: 3, Offset: 3}, "coffee mistake other"},
			{api.Page{Limit: 3, Offset: 6}, "long short"},
			{api.Page{Limit: 3, Offset: 9}, ""},
			{api.Page{Limit: 3, Descending: true}, "locked tea held"},
			{api.Page{Limit: 3, Sort: "value"}, "tea mistake locked"},
			{api.Page{Limit: 3, Sort: "value", Descending: true}, "other coffee short"},
			{api.Page{Limit: 4, Sort: "createdAt"}, "short long other mistake"},
			{api.Page{Limit: 2, Sort: "expiresAt"}, "short long"},
			{api.Page{Limit: 4, Sort: "expireAt", Descending: true}, "coffee held tea locked"},
			{api.Page{Limit: 2, Sort: "pointsTransferId"}, "short long"},
			{api.Page{Limit: 2, Sort: "mood"}, "short long"},
		}...)
		check(points.Filter{CustomerID: s.ida}, 4, []asked{
			{api.Page{Limit: 9}, "locked tea long short"},
			{api.Page{Limit: 2}, "locked tea"},
			{api.Page{Limit: 2, Offset: 1}, "tea long"},
			{api.Page{Limit: 2, Offset: 3}, "short"},
			{api.Page{Limit: 2, Offset: 4}, ""},
			{api.Page{Offset: 1}, ""},
			{api.Page{}, ""},
			{api.Page{Limit: 2, Offset: 1, Sort: "createdAt"}, "long tea"},
		}...)
	})
}

// forEach runs the test on every database, with a filled store and another store that has transfers, too.
func forEach(t *testing.T, run func(t *testing.T, s *shop)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		c := newClock()
		d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
		s := newShop(t, d, c, "SHOP")
		elsewhere := newShop(t, d, c, "OTHER")
		elsewhere.grant(elsewhere.ida, "elsewhere", 1, 1)
		s.fill()
		run(t, s)
	})
}

// The callers of the list, by the value of the header Caller.
func (s *shop) authenticate(r *web.Request) (*access.Caller, error) {
	switch r.Header.Get("Caller") {
	case "customer":
		return &access.Caller{Role: access.Customer, ID: s.ida, StoreKey: s.store.Key}, nil
	case "seller":
		return &access.Caller{Role: access.Seller, StoreKey: s.store.Key}, nil
	}
	return &access.Caller{Role: access.Administrator, Master: true}, nil
}

func (s *shop) serve(on ...feature.Reaction) string {
	s.t.Helper()
	feature.Connect(s.db, on...)
	server := &api.Server{DB: s.db, Stores: store.NewDirectory(s.db), ResultWindow: 100, Authenticate: s.authenticate}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(transfer.Endpoints(s.db, api.Guesses{}))), Log: slog.New(slog.DiscardHandler),
		NewID: db.NewID, Clock: s.clock.Now,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	running := httptest.NewServer(handler)
	s.t.Cleanup(running.Close)
	return running.URL
}

func listed(t *testing.T, url, caller string) (names []string, total int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Caller", caller)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body struct {
		Transfers []struct {
			Comment, AccountID string
			CustomerID         string `json:"customerId"`
		}
		Total int
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil || response.StatusCode != 200 {
		t.Fatalf("%s: %d, %v", url, response.StatusCode, err)
	}
	for _, row := range body.Transfers {
		if row.AccountID == "" || row.CustomerID == "" {
			t.Errorf("%s: %+v lacks an id", url, row)
		}
		names = append(names, row.Comment)
	}
	return names, body.Total
}

// Filters can be one value or a list, and customers see only their own transfers whatever they filter by.
func TestFiltersOfTheQuery(t *testing.T) {
	dbtest.Both(t)
	forEach(t, func(t *testing.T, s *shop) {
		s.t = t
		base := s.serve()
		for _, c := range []struct{ caller, path, query, want string }{
			{"administrator", "", "", "locked tea held coffee mistake other long short"},
			{"administrator", "", "?state=expired", "short"},
			{"administrator", "", "?state[]=expired&state[]=pending", "locked short"},
			{"administrator", "", "?type=spending&state=", "tea coffee"},
			{"administrator", "", "?type[]=spending&type[]=blocked&perPage=2", "tea held"},
			{"administrator", "", "?customerId=" + s.ole, "held coffee mistake other"},
			{"administrator", "", "?sort=value&direction=desc&perPage=2&page=2", "short long"},
			{"administrator", "", "?createdAtFrom=2031-03-04", "locked tea"},
			{"administrator", "", "?createdAtTo=2031-03-05&type=adding", "mistake other long short"},
			{"administrator", "", "?createdAtFrom=2031-03-06&createdAtTo=2031-03-06", "locked tea"},
			{"administrator", "", "?createdAtFrom=soon&state=expired", "short"},
			{"seller", "/seller", "?customerId=" + s.ida, "locked tea long short"},
			{"customer", "/customer", "", "locked tea long short"},
			{"customer", "/customer", "?customerId=" + s.ole, "locked tea long short"},
			{"customer", "/customer", "?customerId=&type=adding", "locked long short"},
		} {
			names, total := listed(t, fmt.Sprintf("%s/api/SHOP%s/points/transfer%s", base, c.path, c.query), c.caller)
			if diff := cmp.Diff(strings.Fields(c.want), names); diff != "" || total < len(names) {
				t.Errorf("%s %s: total %d, %s", c.path, c.query, total, diff)
			}
		}
	})
}
