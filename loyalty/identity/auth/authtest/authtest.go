// Package authtest serves endpoints to users who log in, for tests of features.
package authtest

import (
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

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/limit"
	"punchcard/platform/password"
	"punchcard/platform/web"
)

// Password is the password of all users.
const Password = "Secret-1"

// Hash returns the hash of Password, which it computes once.
var Hash = sync.OnceValues(func() (string, error) { return password.Hash(context.Background(), Password) })

// PairLimit limits failed log-ins of one account from one network.
var PairLimit = limit.Rate{Quota: 10, Window: 5 * time.Minute}

// Site is one database with the store DEFAULT, the built-in roles, and an administrator of each: super,
// reporter and full, by those names.
type Site struct {
	*Node
	Clock *dbtest.Clock

	config    db.Config
	endpoints func(a *auth.Auth) []api.Endpoint
}

// Node is one running server of a site.
type Node struct {
	T    *testing.T
	DB   *db.DB
	Auth *auth.Auth
	URL  string
}

// Each runs the test on a site of every database.
func Each(t *testing.T, endpoints func(a *auth.Auth) []api.Endpoint, run func(t *testing.T, s *Site)) {
	t.Helper()
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := &Site{
				config: dbtest.Config(t, engine), endpoints: endpoints,
				Clock: dbtest.NewClock(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)),
			}
			s.Node = s.Start(t)
			s.Write(install)
			s.Clock.Advance(time.Minute) // so that caches of the empty database expire
			run(t, s)
		})
	}
}

func install(tx *db.Tx) error {
	hash, err := Hash()
	if err != nil {
		return err
	}
	if err := admin.CreateRoles(tx); err != nil {
		return err
	}
	if err := store.AddLanguage(tx, store.Language{Code: "en", Name: "English", Default: true}); err != nil {
		return err
	}
	for name, role := range map[string]int64{
		"super": admin.SuperAdmin, "reporter": admin.ReporterAdmin, "full": admin.FullAdmin,
	} {
		_, err := admin.Create(tx, admin.New{
			Username: name, Email: name + "@example.com", PasswordHash: hash, Active: true, RoleID: role,
		})
		if err != nil {
			return err
		}
	}
	_, err = store.Create(tx, store.New{
		Code: store.DefaultCode, Name: "Default store", Currency: "EUR", Settings: store.DefaultSettings(),
	})
	return err
}

// Start adds a node to the site.
func (s *Site) Start(t *testing.T) *Node {
	t.Helper()
	n := &Node{T: t, DB: dbtest.Open(t, s.config, s.Clock.Now)}
	stores := store.NewDirectory(n.DB)
	var err error
	n.Auth, err = auth.New(t.Context(), auth.Config{DB: n.DB, Stores: stores, PairLimit: PairLimit})
	if err != nil {
		t.Fatal(err)
	}
	feature.Connect(n.DB, n.Auth.Feature().On...)
	server := &api.Server{
		DB: n.DB, Stores: stores, ResultWindow: 10_000, Authenticate: n.Auth.Authenticate,
		KeyLimit: limit.NewVarying("key", limit.DefaultKeys),
	}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(append(n.Auth.Endpoints(), s.endpoints(n.Auth)...))),
		Log:    slog.New(slog.DiscardHandler), NewID: db.NewID, Clock: s.Clock.Now,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(handler)
	t.Cleanup(listening.Close)
	n.URL = listening.URL
	return n
}

// Write runs an operation that must succeed.
func (n *Node) Write(run func(tx *db.Tx) error) {
	n.T.Helper()
	if err := n.DB.Write(context.Background(), run); err != nil {
		n.T.Fatal(err)
	}
}

// Answer is a response.
type Answer struct {
	Status int
	Body   string
}

// Member returns a text of the response's object, or an empty text.
func (a Answer) Member(name string) string {
	var members map[string]any
	if json.Unmarshal([]byte(a.Body), &members) != nil {
		return ""
	}
	text, _ := members[name].(string)
	return text
}

// Send sends a form of fields in pairs with an access token, or without one if it is empty.
func (n *Node) Send(token, method, path string, fields ...string) Answer {
	n.T.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	request, err := http.NewRequest(method, n.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		n.T.Error(err)
		return Answer{}
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		n.T.Error(err)
		return Answer{}
	}
	defer func() { _ = response.Body.Close() }() // read to the end
	body, err := io.ReadAll(response.Body)
	if err != nil {
		n.T.Error(err)
	}
	return Answer{response.StatusCode, string(body)}
}

// LogIn logs a user in with Password, and returns the access and the refresh token.
func (n *Node) LogIn(path, name string) (access, refresh string) {
	n.T.Helper()
	a := n.Send("", "POST", path, "_username", name, "_password", Password)
	if a.Status != 200 {
		n.T.Fatalf("log-in of %s: %d %s", name, a.Status, a.Body)
	}
	return a.Member("token"), a.Member("refresh_token")
}

// Administrator logs an administrator in, and returns the access token.
func (n *Node) Administrator(name string) string {
	n.T.Helper()
	token, _ := n.LogIn("/api/admin/login_check", name)
	return token
}
