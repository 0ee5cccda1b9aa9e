package contract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

// Bad input of any kind gets a 4xx in the shape of the contract. Nothing is written, and the server continues to serve.
func TestNonsenseIsRefused(t *testing.T) {
	multipart := func(body string) string { return "--b\r\n" + body + "\r\n--b--\r\n" }
	cases := []struct {
		name, path, contentType, body string
		status                        int
	}{
		{"truncated JSON", "/api/DEFAULT/campaign", servertest.JSONType, `{"campaign":{"reward":"discount`, 400},
		{"JSON with more behind it", "/api/DEFAULT/campaign", servertest.JSONType, `{} {}`, 400},
		{"JSON that is a list", "/api/DEFAULT/campaign", servertest.JSONType, `[]`, 400},
		{"open bracket", "/api/DEFAULT/campaign", servertest.FormType, "a[b=1", 400},
		{"empty brackets twice", "/api/DEFAULT/campaign", servertest.FormType, "a[][]=1", 400},
		{"10,000 nested brackets", "/api/DEFAULT/campaign", servertest.FormType, "a" + strings.Repeat("[b]", 10_000) + "=1",
			400},
		{"10,000 nested objects", "/api/DEFAULT/campaign", servertest.JSONType,
			strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), 400},
		{"text and group of one name", "/api/DEFAULT/campaign", servertest.FormType, "a=1&a[b]=2", 400},
		{"zero byte", "/api/DEFAULT/campaign", servertest.FormType, "campaign[reward]=a%00b", 400},
		{"invalid UTF-8", "/api/DEFAULT/campaign", servertest.FormType, "campaign[reward]=%ff%fe", 400},
		{"broken escape", "/api/DEFAULT/campaign", servertest.FormType, "campaign[reward]=%zz", 400},
		{"11 MiB", "/api/DEFAULT/campaign", servertest.FormType, "a=" + strings.Repeat("x", 11<<20), 413},
		{"XML", "/api/DEFAULT/campaign", "application/xml", "<campaign/>", 415},
		{"multipart without a boundary", "/api/DEFAULT/campaign", "multipart/form-data", "x", 400},
		{"multipart that breaks off", "/api/DEFAULT/campaign", "multipart/form-data; boundary=b", "--b\r\nContent-Dis", 400},
		{"multipart with broken brackets", "/api/DEFAULT/campaign", "multipart/form-data; boundary=b",
			multipart("Content-Disposition: form-data; name=\"a[b\"\r\n\r\n1"), 400},
		{"duplicate keys: the last counts", "/api/DEFAULT/points/transfer/add", servertest.FormType,
			"transfer[points]=100&transfer[points]=-5", 400},
		{"customer that is none", servertest.BuyForNobody, "", "", 404},
		{"points beyond 64 bits", "/api/DEFAULT/points/transfer/add", servertest.JSONType,
			`{"transfer":{"customer":"` + servertest.Nobody + `","points":1e400}}`, 400},
		{"a date that does not exist", "/api/DEFAULT/customer/self_register", servertest.FormType,
			"customer[firstName]=A&customer[lastName]=B&customer[email]=a@example.com&customer[agreement1]=1" +
				"&customer[plainPassword]=Correct-Horse-7&customer[createdAt]=2031-02-30 10:00", 400},
		{"a path that is no UTF-8", "/api/DEFAULT/campaign/%ff/active", "", "", 404},
		{"a store that is a path", "/api/..%2fDEFAULT/campaign", servertest.FormType, "", 404},
	}
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := servertest.LogInAdmin(t, servertest.StartServer(t, engine, nil))
		for _, test := range cases {
			r := admin.Send("POST", test.path, test.contentType, test.body)
			if r.Status != test.status || !json.Valid(r.Body) || bytes.Contains(r.Body, []byte("goroutine")) {
				t.Errorf("%s: %d %s, want %d", test.name, r.Status, r.Body, test.status)
			}
		}
		if n := admin.EventCount(); n != 0 {
			t.Errorf("%d events were written", n)
		}
		if r := admin.Send("GET", "/api/DEFAULT/customer", "", ""); !bytes.Contains(r.Body, []byte(`"total":0`)) {
			t.Errorf("customers: %s", r.Body)
		}
	})
}

// otherStore adds a second store with a level and a customer who has the same address, while the server runs.
func otherStore(t *testing.T, config app.Database) (customerID string) {
	t.Helper()
	open := db.Config{URL: config.Database, File: config.Data + "/punchcard.db"}
	d := dbtest.Open(t, open, servertest.FixedClock)
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
		config := servertest.Database(t, engine)
		base := servertest.StartServer(t, engine, func(c *app.Config) { c.Database = config })
		stranger := otherStore(t, config)
		admin := servertest.LogInAdmin(t, base)
		ida := servertest.LogIn(t, base, "/api/SECOND/customer/login_check", "ida@example.com", "Correct-Horse-7")
		for path, want := range map[string]int{
			"/api/SECOND/customer/" + stranger:                                200,
			"/api/DEFAULT/customer/" + stranger:                               404,
			"/api/DEFAULT/admin/customer/" + stranger + "/status":             404,
			"/api/DEFAULT/admin/customer/" + stranger + "/campaign/bought":    404,
			"/api/DEFAULT/admin/customer/" + stranger + "/campaign/available": 404,
		} {
			if r := admin.Send("GET", path, "", ""); r.Status != want {
				t.Errorf("%s: %d, want %d", path, r.Status, want)
			}
		}
		r := admin.Form("/api/DEFAULT/points/transfer/add", "transfer[customer]="+stranger+"&transfer[points]=10")
		if r.Status != 400 {
			t.Errorf("points through another store: %d", r.Status)
		}
		for path, want := range map[string]int{
			"/api/SECOND/customer/campaign/available":  200,
			"/api/DEFAULT/customer/campaign/available": 403,
			"/api/DEFAULT/customer/campaign/bought":    403,
			"/api/NOWHERE/customer/campaign/bought":    404,
		} {
			if r := ida.Send("GET", path, "", ""); r.Status != want {
				t.Errorf("customer of SECOND on %s: %d, want %d", path, r.Status, want)
			}
		}
	})
}

func TestTokensEnd(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		moments := make(chan time.Time, 1)
		moments <- servertest.StartOfTests
		clock := func() time.Time { now := <-moments; moments <- now; return now }
		admin := servertest.LogInAdmin(t, servertest.StartServer(t, engine, func(c *app.Config) { c.Clock = clock }))
		if r := admin.Send("GET", "/api/DEFAULT/campaign", "", ""); r.Status != 200 {
			t.Fatalf("fresh token: %d", r.Status)
		}
		moments <- (<-moments).Add(25 * time.Hour)
		r := admin.Send("GET", "/api/DEFAULT/campaign", "", "")
		if r.Status != 401 || string(bytes.TrimSpace(r.Body)) != `{"code":401,"message":"Expired JWT Token"}` {
			t.Errorf("expired token: %d %s", r.Status, r.Body)
		}
	})
}
