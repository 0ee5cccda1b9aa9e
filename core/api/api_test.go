package api_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// site is a server of some endpoints over a database with the stores SHOP, OTHER and, switched off, CLOSED.
type site struct {
	url         string
	shop, other *store.Store
}

const window = 100

// authenticate names the callers of the tests by the word after Bearer.
func (s *site) authenticate(r *web.Request) (*access.Caller, error) {
	switch word := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); word {
	case "":
		return nil, nil
	case "master":
		return &access.Caller{Role: access.Administrator, Master: true}, nil
	case "viewer":
		return &access.Caller{Role: access.Administrator,
			Permissions: map[string][]string{access.Levels: {access.View}}}, nil
	case "customer":
		return &access.Caller{Role: access.Customer, ID: "ida", StoreKey: s.shop.Key}, nil
	case "blocked": // the same one
		return &access.Caller{Role: access.Customer, ID: "ida", StoreKey: s.shop.Key, Blocked: true}, nil
	case "stranger":
		return &access.Caller{Role: access.Customer, ID: "ole", StoreKey: s.other.Key}, nil
	case "seller":
		return &access.Caller{Role: access.Seller, StoreKey: s.shop.Key}, nil
	case "broken":
		return nil, errors.New("the keys cannot be read")
	default:
		return nil, fault.New(fault.Unauthenticated, "test", "Invalid JWT Token")
	}
}

func open(t *testing.T, d *db.DB, endpoints ...api.Endpoint) *site {
	t.Helper()
	s := &site{}
	s.fill(t, d)
	s.serve(t, d, web.Config{}, endpoints...)
	return s
}

// fill adds the stores and languages.
func (s *site) fill(t *testing.T, d *db.DB) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) (err error) {
		for _, code := range []string{"SHOP", "OTHER", "CLOSED"} {
			made, err := store.Create(tx, store.New{
				Code: code, Name: code, Currency: "EUR", Settings: store.DefaultSettings(),
			})
			if err != nil {
				return err
			}
			switch code {
			case "SHOP":
				s.shop = made
			case "OTHER":
				s.other = made
			}
		}
		for i, language := range []store.Language{{Code: "pl"}, {Code: "en", Default: true}} {
			language.Name, language.Position = language.Code, int64(i)
			if err := store.AddLanguage(tx, language); err != nil {
				return err
			}
		}
		_, err = tx.Exec(`UPDATE stores SET active = FALSE WHERE code = 'CLOSED'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// serve starts a node.
func (s *site) serve(t *testing.T, d *db.DB, config web.Config, endpoints ...api.Endpoint) {
	t.Helper()
	server := &api.Server{DB: d, Stores: store.NewDirectory(d), ResultWindow: window, Authenticate: s.authenticate}
	for i := range endpoints {
		if endpoints[i].Audit.Event == "" {
			endpoints[i].Audit = api.Audited("Act", "thing")
		}
	}
	config.Routes, config.Log = server.Routes(api.Complete(endpoints)), slog.New(slog.DiscardHandler)
	config.NewID, config.Clock = db.NewID, time.Now
	handler, err := web.NewHandler(config)
	if err != nil {
		t.Fatal(err)
	}
	running := httptest.NewServer(handler)
	t.Cleanup(running.Close)
	s.url = running.URL
}

// get returns the status and the body.
func (s *site) get(t *testing.T, path, caller string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if caller != "" {
		request.Header.Set("Authorization", "Bearer "+caller)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// whoAndWhere responds with the caller's role and the store's code.
func whoAndWhere(c *api.Call) error {
	role, code := access.Role("nobody"), "no store"
	if c.Caller != nil {
		role = c.Caller.Role
	}
	if c.Store != nil {
		code = c.Store.Code
	}
	return c.OK([]string{string(role), code})
}

func doors() []api.Endpoint {
	return []api.Endpoint{
		{Method: "GET", Path: "/public", Access: access.Public(), Handle: whoAndWhere},
		{Method: "GET", Path: "/{storeCode}/public", Access: access.Public(), Handle: whoAndWhere},
		{Method: "GET", Path: "/admin", Access: access.Only(access.Administrator), Handle: whoAndWhere},
		{Method: "GET", Path: "/{storeCode}/modify", Access: access.AdministratorWith(access.Levels, access.Modify),
			Handle: whoAndWhere},
		{Method: "GET", Path: "/{storeCode}/own", Access: access.Only(access.Customer), Handle: whoAndWhere},
		{Method: "GET", Path: "/{storeCode}/all",
			Access: access.AdministratorWith(access.Levels, access.View).And(access.Customer, access.Seller),
			Handle: whoAndWhere},
	}
}

const (
	required  = `{"code":401,"message":"Authentication Required"}`
	wrong     = `{"code":401,"message":"Invalid JWT Token"}`
	forbidden = `{"error":{"code":403,"message":"Forbidden"}}`
	notFound  = `{"error":{"code":404,"message":"Not Found"}}`
	failed    = `{"error":{"code":500,"message":"Internal Server Error"}}`
)

// The order of the checks is credentials, role, store, store of the caller: each row fails every later one too
// where it can.
func TestAdmission(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, doors()...)
		for _, c := range []struct {
			path, caller string
			status       int
			body         string
		}{
			{"/NONE/own", "", 401, required},
			{"/NONE/own", "forged", 401, wrong},
			{"/admin", "", 401, required},
			{"/admin", "forged", 401, wrong},
			{"/admin", "broken", 500, failed},
			{"/NONE/own", "seller", 403, forbidden},
			{"/NONE/own", "master", 403, forbidden},
			{"/NONE/modify", "viewer", 403, forbidden},
			{"/admin", "customer", 403, forbidden},
			{"/NONE/own", "customer", 404, notFound},
			{"/NONE/modify", "master", 404, notFound},
			{"/CLOSED/all", "viewer", 404, notFound},
			{"/CLOSED/own", "customer", 404, notFound},
			{"/shop/own", "customer", 404, notFound},
			{"/NONE/public", "", 404, notFound},
			{"/CLOSED/public", "master", 404, notFound},
			{"/SHOP/own", "stranger", 403, forbidden},
			{"/OTHER/all", "customer", 403, forbidden},
			{"/OTHER/all", "seller", 403, forbidden},
			{"/OTHER/all", "stranger", 200, `["ROLE_PARTICIPANT","OTHER"]`},
			{"/SHOP/own", "customer", 200, `["ROLE_PARTICIPANT","SHOP"]`},
			{"/SHOP/all", "seller", 200, `["ROLE_SELLER","SHOP"]`},
			{"/SHOP/all", "viewer", 200, `["ROLE_ADMIN","SHOP"]`},
			{"/OTHER/modify", "master", 200, `["ROLE_ADMIN","OTHER"]`},
			{"/admin", "viewer", 200, `["ROLE_ADMIN","no store"]`},
			{"/public", "", 200, `["nobody","no store"]`},
			{"/public", "forged", 200, `["nobody","no store"]`},
			{"/SHOP/public", "forged", 200, `["nobody","SHOP"]`},
			{"/SHOP/public", "stranger", 200, `["ROLE_PARTICIPANT","SHOP"]`},
		} {
			status, body := s.get(t, c.path, c.caller)
			if status != c.status || strings.TrimSpace(body) != c.body {
				t.Errorf("%s as %q: %d %s, want %d %s", c.path, c.caller, status, body, c.status, c.body)
			}
		}
	})
}

func TestLocaleOfACall(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, api.Endpoint{Method: "GET", Path: "/locale", Access: access.Public(),
			Handle: func(c *api.Call) error {
				locale, err := c.Locale()
				if err != nil {
					return err
				}
				return c.OK([]string{locale.Wanted, locale.Default})
			}})
		for _, c := range []struct{ query, want string }{
			{"", `["en","en"]`}, {"?_locale=", `["en","en"]`}, {"?_locale=pl", `["pl","en"]`},
			{"?_locale=en_US", `["en_US","en"]`}, {"?_locale[]=pl", `["en","en"]`}, {"?locale=pl", `["en","en"]`},
		} {
			if status, body := s.get(t, "/locale"+c.query, ""); status != 200 || strings.TrimSpace(body) != c.want {
				t.Errorf("%q: %d %s, want %s", c.query, status, body, c.want)
			}
		}
	})
}

func TestAnswersWithoutABody(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	s := open(t, d, api.Endpoint{Method: "GET", Path: "/done", Access: access.Public(),
		Handle: func(c *api.Call) error { return c.Done() }})
	if status, body := s.get(t, "/done", ""); status != 200 || body != "" {
		t.Errorf("%d %q, want an empty 200", status, body)
	}
}

// A call reads and writes the database of its server, within the time of its request.
func TestCallReachesTheDatabase(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, api.Endpoint{Method: "GET", Path: "/rename", Access: access.Public(),
			Handle: func(c *api.Call) error {
				if _, limited := c.Context().Deadline(); !limited || c.DB() != d {
					return fault.ErrInvalid
				}
				err := c.Step(func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE stores SET name = 'New' WHERE code = 'SHOP'`)
					return err
				})
				if err != nil {
					return err
				}
				c.Stores().Forget()
				shop, _, err := c.Stores().ByCode(c.Context(), "SHOP")
				if err != nil {
					return err
				}
				var name string
				err = c.Read(func(tx *db.Tx) error {
					name, err = db.Value[string](tx, `SELECT name FROM stores WHERE store_id = $1`, shop.Key)
					return err
				})
				if err != nil {
					return err
				}
				return c.OK([]string{shop.Name, name})
			}})
		if status, body := s.get(t, "/rename", ""); status != 200 || strings.TrimSpace(body) != `["New","New"]` {
			t.Errorf("%d %s", status, body)
		}
	})
}
