package auth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
	"punchcard/platform/web"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

const plain = "Secret-1"

var hashed = sync.OnceValues(func() (string, error) { return password.Hash(context.Background(), plain) })

// journal collects the logs of the nodes.
type journal struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.String()
}

// site is one database with a store, the people of people.create, and a node that serves it.
type site struct {
	*node
	config   db.Config
	clock    *dbtest.Clock
	log      *journal
	on       []feature.Reaction
	settings auth.Config
	store    *store.Store
	people   people
}

// node is one running server.
type node struct {
	t      *testing.T
	db     *db.DB
	stores *store.Directory
	auth   *auth.Auth
	url    string
}

type people struct {
	super, reporter admin.Administrator
	seller          seller.Seller
	customer        *customer.Customer
}

const masterKey = "master-key-of-this-site"

// each runs the test on a site of every engine.
func each(t *testing.T, run func(t *testing.T, s *site)) {
	t.Helper()
	eachWith(t, auth.Config{}, run)
}

func eachWith(t *testing.T, settings auth.Config, run func(t *testing.T, s *site)) {
	t.Helper()
	eachReacting(t, settings, nil, run)
}

func eachReacting(t *testing.T, settings auth.Config, on []feature.Reaction, run func(t *testing.T, s *site)) {
	t.Helper()
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			run(t, newSite(t, engine, settings, on...))
		})
	}
}

func newSite(t *testing.T, engine string, settings auth.Config, on ...feature.Reaction) *site {
	t.Helper()
	s := &site{
		config: dbtest.Config(t, engine), log: &journal{}, on: on,
		clock: dbtest.NewClock(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)),
	}
	s.config.Log = slog.New(slog.NewJSONHandler(s.log, nil))
	settings.MasterKey = masterKey
	s.settings = settings
	s.node = s.start(t, settings)
	s.write(func(tx *db.Tx) error { return s.create(tx) })
	s.stores.Forget()
	return s
}

// start adds a node to the site.
func (s *site) start(t *testing.T, settings auth.Config) *node {
	t.Helper()
	n := &node{t: t, db: dbtest.Open(t, s.config, s.clock.Now)}
	feature.Connect(n.db, s.on...)
	n.stores = store.NewDirectory(n.db)
	settings.DB, settings.Stores = n.db, n.stores
	var err error
	if n.auth, err = auth.New(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	server := &api.Server{
		DB: n.db, Stores: n.stores, ResultWindow: 100, Authenticate: n.auth.Authenticate, StepUp: n.auth.StepUp,
		StepUpPoints: n.auth.StepUpPoints,
	}
	everyone := access.Only(access.Administrator, access.Customer, access.Seller)
	endpoints := append(n.auth.Endpoints(),
		api.Endpoint{Method: "GET", Path: "/api/who", Access: everyone, Handle: func(c *api.Call) error {
			return c.JSON(200, c.Caller)
		}},
		api.Endpoint{Method: "POST", Path: "/api/danger", Access: everyone, Factor: api.Always,
			Audit:  api.Audited("Endanger", "thing"),
			Handle: func(c *api.Call) error { return c.Write(func(*db.Tx) error { return nil }, c.NoContent) }},
		api.Endpoint{Method: "POST", Path: "/api/move", Access: everyone, Audit: api.Audited("Move", "thing"),
			Factor: api.ByPoints(func(*api.Call) (int64, error) { return 30, nil }),
			Handle: func(c *api.Call) error { return c.Write(func(*db.Tx) error { return nil }, c.NoContent) }},
		api.Endpoint{Method: "GET", Path: "/api/{storeCode}/who", Access: everyone, Handle: func(c *api.Call) error {
			return c.JSON(200, c.Caller)
		}})
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(endpoints)), Log: slog.New(slog.NewJSONHandler(s.log, nil)), NewID: db.NewID,
		Clock: s.clock.Now, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(handler)
	t.Cleanup(listening.Close)
	n.url = listening.URL
	return n
}

func (s *site) create(tx *db.Tx) (err error) {
	hash, err := hashed()
	if err != nil {
		return err
	}
	if err := admin.CreateRoles(tx); err != nil {
		return err
	}
	if s.store, err = newStore(tx, "DEFAULT"); err != nil {
		return err
	}
	p := &s.people
	if p.super, err = admin.Create(tx, admin.New{
		Username: "admin", Email: "admin@example.com", PasswordHash: hash, Active: true, RoleID: admin.SuperAdmin,
	}); err != nil {
		return err
	}
	if p.reporter, err = admin.Create(tx, admin.New{
		Email: "reporter@example.com", PasswordHash: hash, Active: true, RoleID: admin.ReporterAdmin,
	}); err != nil {
		return err
	}
	if p.seller, err = seller.Create(tx, s.store.Key, seller.New{
		Email: "seller@example.com", PasswordHash: hash, Active: true,
	}); err != nil {
		return err
	}
	p.customer, err = customer.Register(tx, s.store, customer.Registration{
		Email: "user@example.com", Phone: "+48123456789", LoyaltyCard: "Card-7", PasswordHash: hash, Active: true,
	})
	return err
}

// newStore adds a store with one level, in which every customer starts.
func newStore(tx *db.Tx, code string) (*store.Store, error) {
	s, err := store.Create(tx, store.New{
		Code: code, Name: code, Currency: "EUR", Settings: store.DefaultSettings(),
	})
	if err != nil {
		return nil, err
	}
	_, err = level.Create(tx, s, level.Level{
		Active: true, Translations: []level.Translation{{Locale: "en", Name: "Start"}},
	})
	return s, err
}

func (n *node) write(run func(tx *db.Tx) error) {
	n.t.Helper()
	if err := n.db.Write(context.Background(), run); err != nil {
		n.t.Fatal(err)
	}
}

func (n *node) exec(query string, args ...any) {
	n.t.Helper()
	n.write(func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
}

func (n *node) number(query string, args ...any) (number int64) {
	n.t.Helper()
	err := n.db.Read(context.Background(), func(tx *db.Tx) (err error) {
		number, err = db.Value[int64](tx, query, args...)
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return number
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   string
}

func (n *node) do(request *http.Request) answer {
	n.t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		n.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

// get sends a GET request with headers in pairs.
func (n *node) get(path string, headers ...string) answer { return n.ask("GET", path, headers...) }

func (n *node) postWith(path string, headers ...string) answer {
	return n.ask("POST", path, headers...)
}

func (n *node) ask(method, path string, headers ...string) answer {
	n.t.Helper()
	request, err := http.NewRequest(method, n.url+path, nil)
	if err != nil {
		n.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return n.do(request)
}

func (n *node) who(token string) answer { return n.get("/api/who", "Authorization", "Bearer "+token) }

// post sends a form of fields in pairs.
func (n *node) post(path string, fields ...string) answer {
	n.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return n.send(path, "application/x-www-form-urlencoded", form.Encode())
}

func (n *node) send(path, contentType, body string) answer {
	n.t.Helper()
	return n.sendWith(path, body, "Content-Type", contentType)
}

// sendWith sends a body with headers in pairs.
func (n *node) sendWith(path, body string, headers ...string) answer {
	n.t.Helper()
	request, err := http.NewRequest("POST", n.url+path, strings.NewReader(body))
	if err != nil {
		n.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return n.do(request)
}

// guessFrom tries a password from an address.
func (n *node) guessFrom(address, path, name, password string) answer {
	n.t.Helper()
	return n.sendWith(path, url.Values{"_username": {name}, "_password": {password}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For", address)
}

// logIn logs in, which must succeed.
func (n *node) logIn(path, name string) tokens {
	n.t.Helper()
	return n.tokens(n.post(path, "_username", name, "_password", plain))
}

type tokens struct {
	Token   string `json:"token"`
	Refresh string `json:"refresh_token"`
	Error   string `json:"error"`
}

func (n *node) tokens(from answer) (pair tokens) {
	n.t.Helper()
	if from.status != 200 {
		n.t.Fatalf("got %d %s, want tokens", from.status, from.body)
	}
	decoder := json.NewDecoder(strings.NewReader(from.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&pair); err != nil || pair.Token == "" || len(pair.Refresh) < 64 {
		n.t.Fatalf("got %s (%v), want tokens", from.body, err)
	}
	return pair
}

func (n *node) issue(caller access.Caller) string {
	n.t.Helper()
	token, err := n.auth.Issue(context.Background(), &caller, time.Time{})
	if err != nil {
		n.t.Fatal(err)
	}
	return token
}

// customerToken issues a token of the site's customer.
func (s *site) customerToken() string {
	s.t.Helper()
	return s.issue(access.Caller{
		Role: access.Customer, ID: s.people.customer.ID, Username: "user@example.com", StoreKey: s.store.Key,
		Session: "a session",
	})
}

func (a answer) is(t *testing.T, status int, body string) {
	t.Helper()
	if a.status != status || a.body != body {
		t.Errorf("got %d %s\nwant %d %s", a.status, a.body, status, body)
	}
}

// The bodies that more than one test expects.
const (
	badCredentials = `{"code":401,"message":"Bad credentials"}`
	invalidToken   = `{"code":401,"message":"Invalid JWT Token"}`
	expiredToken   = `{"code":401,"message":"Expired JWT Token"}`
	invalidRefresh = `{"code":401,"message":"Invalid refresh token"}`
	notFound       = `{"error":{"code":404,"message":"Not Found"}}`
	unknownKey     = `{"message":"Username could not be found."}`
)
