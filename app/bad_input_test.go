package app_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

// client calls a server as one user.
type client struct {
	t     testing.TB
	base  string
	token string
}

func (c *client) send(method, path, contentType, body string) reply {
	c.t.Helper()
	return send(c.t, c.request(method, path, contentType, body))
}

// request returns a request of the user. contentType may be empty.
func (c *client) request(method, path, contentType, body string) *http.Request {
	c.t.Helper()
	request, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	return request
}

func (c *client) form(path, body string) reply {
	c.t.Helper()
	return c.send("POST", path, "application/x-www-form-urlencoded", body)
}

// logIn returns a client with the token of the user.
func logIn(t testing.TB, base, path, name, plain string) *client {
	t.Helper()
	c := &client{t: t, base: base}
	r := c.form(path, "username="+name+"&password="+plain)
	var answer struct{ Token string }
	if err := json.Unmarshal(r.body, &answer); err != nil || r.status != 200 {
		t.Fatalf("log-in of %s: %d %s", name, r.status, r.body)
	}
	c.token = answer.Token
	return c
}

func logInAdmin(t testing.TB, base string) *client {
	t.Helper()
	return logIn(t, base, "/api/admin/login_check", "admin", "open")
}

// eventCount returns the number of stored events, which every write increases.
func (c *client) eventCount() int {
	c.t.Helper()
	r := c.send("GET", "/api/event?perPage=1", "", "")
	var answer struct{ Total int }
	if err := json.Unmarshal(r.body, &answer); err != nil || r.status != 200 {
		c.t.Fatalf("events: %d %s", r.status, r.body)
	}
	return answer.Total
}

const (
	urlencoded = "application/x-www-form-urlencoded"
	jsonType   = "application/json"
)

// Bad input of any kind gets a 4xx in the shape of the contract. Nothing is written, and the server continues to serve.
func TestNonsenseIsRefused(t *testing.T) {
	multipart := func(body string) string { return "--b\r\n" + body + "\r\n--b--\r\n" }
	cases := []struct {
		name, path, contentType, body string
		status                        int
	}{
		{"truncated JSON", "/api/DEFAULT/campaign", jsonType, `{"campaign":{"reward":"discount`, 400},
		{"JSON with more behind it", "/api/DEFAULT/campaign", jsonType, `{} {}`, 400},
		{"JSON that is a list", "/api/DEFAULT/campaign", jsonType, `[]`, 400},
		{"open bracket", "/api/DEFAULT/campaign", urlencoded, "a[b=1", 400},
		{"empty brackets twice", "/api/DEFAULT/campaign", urlencoded, "a[][]=1", 400},
		{"10,000 nested brackets", "/api/DEFAULT/campaign", urlencoded, "a" + strings.Repeat("[b]", 10_000) + "=1", 400},
		{"10,000 nested objects", "/api/DEFAULT/campaign", jsonType,
			strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), 400},
		{"text and group of one name", "/api/DEFAULT/campaign", urlencoded, "a=1&a[b]=2", 400},
		{"zero byte", "/api/DEFAULT/campaign", urlencoded, "campaign[reward]=a%00b", 400},
		{"invalid UTF-8", "/api/DEFAULT/campaign", urlencoded, "campaign[reward]=%ff%fe", 400},
		{"broken escape", "/api/DEFAULT/campaign", urlencoded, "campaign[reward]=%zz", 400},
		{"11 MiB", "/api/DEFAULT/campaign", urlencoded, "a=" + strings.Repeat("x", 11<<20), 413},
		{"XML", "/api/DEFAULT/campaign", "application/xml", "<campaign/>", 415},
		{"multipart without a boundary", "/api/DEFAULT/campaign", "multipart/form-data", "x", 400},
		{"multipart that breaks off", "/api/DEFAULT/campaign", "multipart/form-data; boundary=b", "--b\r\nContent-Dis", 400},
		{"multipart with broken brackets", "/api/DEFAULT/campaign", "multipart/form-data; boundary=b",
			multipart("Content-Disposition: form-data; name=\"a[b\"\r\n\r\n1"), 400},
		{"duplicate keys: the last counts", "/api/DEFAULT/points/transfer/add", urlencoded,
			"transfer[points]=100&transfer[points]=-5", 400},
		{"customer that is none", buyForNobody, "", "", 404},
		{"points beyond 64 bits", "/api/DEFAULT/points/transfer/add", jsonType,
			`{"transfer":{"customer":"` + nobody + `","points":1e400}}`, 400},
		{"a date that does not exist", "/api/DEFAULT/customer/self_register", urlencoded,
			"customer[firstName]=A&customer[lastName]=B&customer[email]=a@example.com&customer[agreement1]=1" +
				"&customer[plainPassword]=Correct-Horse-7&customer[createdAt]=2031-02-30 10:00", 400},
		{"a path that is no UTF-8", "/api/DEFAULT/campaign/%ff/active", "", "", 404},
		{"a store that is a path", "/api/..%2fDEFAULT/campaign", urlencoded, "", 404},
	}
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := logInAdmin(t, startServer(t, engine, nil))
		for _, test := range cases {
			r := admin.send("POST", test.path, test.contentType, test.body)
			if r.status != test.status || !json.Valid(r.body) || bytes.Contains(r.body, []byte("goroutine")) {
				t.Errorf("%s: %d %s, want %d", test.name, r.status, r.body, test.status)
			}
		}
		if n := admin.eventCount(); n != 0 {
			t.Errorf("%d events were written", n)
		}
		if r := admin.send("GET", "/api/DEFAULT/customer", "", ""); !bytes.Contains(r.body, []byte(`"total":0`)) {
			t.Errorf("customers: %s", r.body)
		}
	})
}

const (
	nobody       = "00000000-0000-7000-8000-000000000000"
	buyForNobody = "/api/DEFAULT/admin/customer/" + nobody + "/campaign/" + nobody + "/buy"
)

// otherStore adds a second store with a level and a customer who has the same address, while the server runs.
func otherStore(t *testing.T, config app.Database) (customerID string) {
	t.Helper()
	open := db.Config{URL: config.Database, File: config.Data + "/punchcard.db"}
	d := dbtest.Open(t, open, fixedClock)
	hash, err := password.Hash(context.Background(), "Correct-Horse-7")
	if err != nil {
		t.Fatal(err)
	}
	err = d.Write(context.Background(), func(tx *db.Tx) error {
		s, err := store.Create(tx, store.New{
			Code: "SECOND", Name: "Second", Currency: "NOK", Settings: store.DefaultSettings(),
		})
		if err != nil {
			return err
		}
		if _, err := level.Create(tx, s, level.Level{Active: true}); err != nil {
			return err
		}
		c, err := customer.Register(tx, s, customer.Registration{
			Email: "ida@example.com", FirstName: "Ida", LastName: "Berg", Agreements: [3]bool{true},
			PasswordHash: hash, Active: true,
		})
		customerID = c.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return customerID
}

// No role reaches anything of one store through another.
func TestStoresAreSeparate(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := database(t, engine)
		base := startServer(t, engine, func(c *app.Config) { c.Database = config })
		stranger := otherStore(t, config)
		admin := logInAdmin(t, base)
		ida := logIn(t, base, "/api/SECOND/customer/login_check", "ida@example.com", "Correct-Horse-7")
		for path, want := range map[string]int{
			"/api/SECOND/customer/" + stranger:                                200,
			"/api/DEFAULT/customer/" + stranger:                               404,
			"/api/DEFAULT/admin/customer/" + stranger + "/status":             404,
			"/api/DEFAULT/admin/customer/" + stranger + "/campaign/bought":    404,
			"/api/DEFAULT/admin/customer/" + stranger + "/campaign/available": 404,
		} {
			if r := admin.send("GET", path, "", ""); r.status != want {
				t.Errorf("%s: %d, want %d", path, r.status, want)
			}
		}
		r := admin.form("/api/DEFAULT/points/transfer/add", "transfer[customer]="+stranger+"&transfer[points]=10")
		if r.status != 400 {
			t.Errorf("points through another store: %d", r.status)
		}
		for path, want := range map[string]int{
			"/api/SECOND/customer/campaign/available":  200,
			"/api/DEFAULT/customer/campaign/available": 403,
			"/api/DEFAULT/customer/campaign/bought":    403,
			"/api/NOWHERE/customer/campaign/bought":    404,
		} {
			if r := ida.send("GET", path, "", ""); r.status != want {
				t.Errorf("customer of SECOND on %s: %d, want %d", path, r.status, want)
			}
		}
	})
}

func TestTokensEnd(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		moments := make(chan time.Time, 1)
		moments <- startOfTests
		clock := func() time.Time { now := <-moments; moments <- now; return now }
		admin := logInAdmin(t, startServer(t, engine, func(c *app.Config) { c.Clock = clock }))
		if r := admin.send("GET", "/api/DEFAULT/campaign", "", ""); r.status != 200 {
			t.Fatalf("fresh token: %d", r.status)
		}
		moments <- (<-moments).Add(25 * time.Hour)
		r := admin.send("GET", "/api/DEFAULT/campaign", "", "")
		if r.status != 401 || string(bytes.TrimSpace(r.body)) != `{"code":401,"message":"Expired JWT Token"}` {
			t.Errorf("expired token: %d %s", r.status, r.body)
		}
	})
}

// claim returns a claim of a token without verifying it, as clients do.
func claim(t testing.TB, token, name string) string {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	text, ok := claims[name].(string)
	if !ok {
		t.Fatalf("claim %s is %v", name, claims[name])
	}
	return text
}
