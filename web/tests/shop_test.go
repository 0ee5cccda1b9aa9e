// Package tests walks through the web apps with a real browser and a real server. docs/web.md describes how to add a
// screen.
package tests

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/kong"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
	"punchcard/platform/testwait"
	"punchcard/web/webtest"
)

func TestMain(m *testing.M) {
	password.Cheapen() // every page that is opened has a log-in of its own
	dbtest.Main(m, webtest.Stop)
}

// shop is a running server with the demonstration program, and its log-ins.
type shop struct {
	base  string
	admin string // access token
	data  string // folder

	commits testwait.Signal // of the server

	tokens map[string]tokens // by app and user
}

type tokens struct {
	Token   string `json:"token"`
	Refresh string `json:"refresh_token"`
}

// logins are those of the demonstration, by app.
var logins = map[string]struct{ path, username, password, key, cookie string }{
	"cockpit": {"/api/admin/login_check", "admin", "open", "punchcard.cockpit", "pc-cockpit"},
	"till": {"/api/DEFAULT/seller/login_check", "seller@example.com", "open", "punchcard.till.DEFAULT",
		"pc-till-DEFAULT"},
	"me": {"/api/DEFAULT/customer/login_check", "user@example.com", "loyalty", "punchcard.me.DEFAULT",
		"pc-me-DEFAULT"},
}

// demonstration is a database file with the demonstration program, which the tests copy.
var demonstration = sync.OnceValues(func() ([]byte, error) {
	data, err := os.MkdirTemp("", "punchcard-demonstration-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(data) }() // a leftover does no harm
	config, err := configure(data, "--demo")
	if err != nil {
		return nil, err
	}
	_, stop, err := serve(config)
	if err != nil {
		return nil, err
	}
	if err := stop(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(data, databaseFile))
})

// databaseFile is the name of the SQLite file in the data folder. A server that has stopped leaves no log beside it.
const databaseFile = "punchcard.db"

// openShop starts a server on SQLite with the demonstration program, whose data is complete at once.
func openShop(t *testing.T) *shop {
	t.Helper()
	content, err := demonstration()
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, databaseFile), content, 0o600); err != nil {
		t.Fatal(err)
	}
	return openShopIn(t, data, "--demo")
}

// openShopWith starts a server on a new SQLite file with flags of punchcard serve.
func openShopWith(t *testing.T, flags ...string) *shop {
	t.Helper()
	return openShopIn(t, t.TempDir(), flags...)
}

// configure returns the settings of a server with a data folder and further flags.
func configure(data string, flags ...string) (config app.Config, err error) {
	parser, err := kong.New(&config)
	if err != nil {
		return config, err
	}
	_, err = parser.Parse(append(flags, "--data="+data, "--listen=127.0.0.1:0", "--log=error", "--admin-password=open"))
	config.Rates = app.Rates{} // all tests are one client
	return config, err
}

func serve(config app.Config) (base string, stop func() error, err error) {
	return apptest.Serve(func(ctx context.Context, output io.Writer) error {
		return app.Serve(ctx, config, output, output)
	})
}

// openShopIn starts a server on the SQLite file in a folder.
func openShopIn(t *testing.T, data string, flags ...string) *shop {
	t.Helper()
	config, err := configure(data, flags...)
	if err != nil {
		t.Fatal(err)
	}
	commits := testwait.NewSignal()
	config.OnCommit = commits.Send
	base, stop, err := serve(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	s := &shop{base: base, data: data, commits: commits, tokens: map[string]tokens{}}
	s.admin = s.logIn(t, "cockpit").Token
	return s
}

// startReceiver runs a server that answers with the statuses that it is given, and 204 when there is none.
func startReceiver(t *testing.T) (address string, status chan<- int) {
	t.Helper()
	statuses := make(chan int, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case code := <-statuses:
			w.WriteHeader(code)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	t.Cleanup(receiver.Close)
	return receiver.URL, statuses
}

// logIn returns tokens of an app's demonstration user. Each test has a session of its own.
func (s *shop) logIn(t *testing.T, name string) tokens {
	t.Helper()
	l := logins[name]
	var got tokens
	s.call(t, "", "POST", l.path, map[string]string{"username": l.username, "password": l.password}, &got)
	return got
}

// call calls the API with a token and decodes the response into what into points to, if that is not nil.
func (s *shop) call(t *testing.T, token, method, path string, body, into any) {
	t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.base+path, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}

// get returns a member of a response as text, such as customers.0.customerId.
func (s *shop) get(t *testing.T, path string, members ...any) string {
	t.Helper()
	var tree any
	s.call(t, s.admin, "GET", path, nil, &tree)
	for _, member := range members {
		switch member := member.(type) {
		case string:
			object, _ := tree.(map[string]any)
			tree = object[member]
		case int:
			list, _ := tree.([]any)
			if member >= len(list) {
				t.Fatalf("%s has no %v", path, members)
			}
			tree = list[member]
		}
	}
	if tree == nil {
		t.Fatalf("%s has no %v", path, members)
	}
	return fmt.Sprint(tree)
}

// openAs opens a tab in which the demonstration user of an app is signed in, and goes to a path of the app.
func (s *shop) openAs(t *testing.T, name, path string, options webtest.Options) *webtest.Page {
	t.Helper()
	return s.openWith(t, name, path, s.logIn(t, name), options)
}

// openWith is openAs with tokens of another user.
func (s *shop) openWith(t *testing.T, name, path string, login tokens, options webtest.Options) *webtest.Page {
	t.Helper()
	options.Server = s.base
	p := webtest.Open(t, options)
	login.goTo(p, name, path)
	return p
}

// goTo goes to a path of an app as the user, with further items in localStorage.
func (k tokens) goTo(p *webtest.Page, app, path string, items ...map[string]string) {
	l := logins[app]
	p.SetCookie("__Host-"+l.cookie, k.Refresh)
	stored := map[string]string{l.key: k.claims()}
	for _, more := range items {
		maps.Copy(stored, more)
	}
	p.GoWith(path, stored)
}

// claims are the content of the access token, which the page keeps.
func (k tokens) claims() string {
	content, err := base64.RawURLEncoding.DecodeString(strings.Split(k.Token, ".")[1])
	if err != nil {
		panic(err) // the server made the token
	}
	return string(content)
}
