package security_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

const setUpPassword = "Correct-Horse-7"

// setUpForm is the body of POST /api/setup.
func setUpForm(token string, members string) string {
	return fmt.Sprintf(`{"setup": {"token": %q, "plainPassword": %q, "name": "Corner Coffee", "currency": "pln",
		"timezone": "Europe/Warsaw", "country": "PL", "language": "pl", "accentColor": "#aa3300"%s}}`,
		token, setUpPassword, members)
}

// firstStart starts a server on an empty database, and returns the token of the link that it prints.
func firstStart(t *testing.T, config app.Config) (base, token string, stop func()) {
	t.Helper()
	var printed bytes.Buffer
	base, end, err := apptest.Serve(func(ctx context.Context, output io.Writer) error {
		return app.Serve(ctx, config, io.MultiWriter(&printed, output), servertest.Log(t))
	})
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	link := regexp.MustCompile(`set up the store at (\S+)/setup#(\S+) \(for 24 hours`).FindSubmatch(printed.Bytes())
	if link == nil {
		return base, "", stop
	}
	if got := string(link[1]); got != base {
		t.Errorf("the link leads to %s, the server is at %s", got, base)
	}
	return base, string(link[2]), stop
}

// setUpConfig is the configuration of an installation without administrator.
func setUpConfig(database app.Database) app.Config {
	config := servertest.PlainConfig(database)
	config.AdminPassword = ""
	return config
}

// setUp completes the set-up, and returns the status of the response and its body.
func setUp(t *testing.T, base, token, members string) (status int, body string) {
	t.Helper()
	c := &client{T: t, Base: base}
	r := c.Send("POST", "/api/setup", "application/json", setUpForm(token, members))
	return r.Status, string(r.Body)
}

// A failed start prints no link. Each link of a start is valid until one of them is used; then there is an
// administrator, the store has its name and numbers, and no link leads anywhere any more.
func TestSetUp(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := setUpConfig(servertest.NewDatabase(t, engine))
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		failing := config
		failing.Listen = taken.Addr().String()
		var printed bytes.Buffer
		if err := app.Serve(t.Context(), failing, &printed, servertest.Log(t)); err == nil || printed.Len() > 0 {
			t.Errorf("on an address in use: %v, %q", err, &printed)
		}
		_, first, stop := firstStart(t, config)
		stop()
		base, second, stop := firstStart(t, config)
		if first == "" || second == "" || first == second {
			t.Fatalf("the links are %q and %q", first, second)
		}
		c := &client{T: t, Base: base}
		r := c.Send("POST", "/api/setup/link", "application/json", fmt.Sprintf(`{"setup": {"token": %q}}`, first))
		var shown struct{ Username, StoreCode, Currency, Language string }
		if err := json.Unmarshal(r.Body, &shown); err != nil || r.Status != 200 || shown.Username != "admin" ||
			shown.StoreCode != "DEFAULT" || shown.Currency != "EUR" || shown.Language != "en" {
			t.Errorf("the link shows %d %s", r.Status, r.Body)
		}
		for _, bad := range []struct{ token, members, want string }{
			{"unknown", "", "no longer valid"},
			{second, `, "plainPassword": "short"`, "plainPassword"},
			{second, `, "currency": "zloty"`, "currency"},
			{second, `, "timezone": "Mars"`, "timezone"},
			{second, `, "language": "xx"`, "language"},
			{second, `, "name": " "`, "name"},
			{second, `, "email": "nobody"`, "email"},
			{second, `, "programName": " "`, "programName"},
			{second, `, "pointsRounding": "up"`, "pointsRounding"},
			{second, `, "language": "../x", "languageName": "X"`, "language"},
		} {
			if status, body := setUp(t, base, bad.token, bad.members); status != 400 || !strings.Contains(body, bad.want) {
				t.Errorf("with %q and %q: %d %s", bad.token, bad.members, status, body)
			}
		}
		program := `, "programName": "Corner Club", "programPointsSingular": "bean", "programPointsPlural": "beans",
			"pointsRounding": "half_up", "pointsDaysExpiryAfter": "all_time_active", "language": "de",
			"languageName": "Deutsch", "onlyLanguage": true`
		if status, body := setUp(t, base, first, program); status != 204 {
			t.Fatalf("set-up: %d %s", status, body)
		}
		for _, token := range []string{first, second} {
			if status, body := setUp(t, base, token, ""); status != 404 {
				t.Errorf("again: %d %s", status, body)
			}
		}
		stop()
		base, third, _ := firstStart(t, config)
		if third != "" {
			t.Error("a start with an administrator prints a link")
		}
		checkSetUp(t, base)
	})
}

// checkSetUp checks what TestSetUp has set up.
func checkSetUp(t *testing.T, base string) {
	t.Helper()
	admin := servertest.LogIn(t, base, "/api/admin/login_check", "admin", setUpPassword)
	for _, shown := range []struct{ path, want string }{
		{"/api/store", `"name":"Corner Coffee","currency":"PLN"`},
		{"/api/DEFAULT/settings", `"timezone":"Europe/Warsaw"`},
		{"/api/DEFAULT/settings", `"programName":"Corner Club","programPointsSingular":"bean",`},
		{"/api/DEFAULT/settings", `"pointsRounding":"half_up","pointsDaysExpiryAfter":"all_time_active"`},
		{"/api/admin/translations", `[{"code":"de","name":"Deutsch","default":true,`},
		{"/api/DEFAULT/settings/program", `"accentColor":"#aa3300"`},
		{"/api/DEFAULT/admin/attention", `"parts"`},
		{"/api/DEFAULT/customer?perPage=1", `"total":0`},
	} {
		if r := admin.Send("GET", shown.path, "", ""); r.Status != 200 || !strings.Contains(string(r.Body), shown.want) {
			t.Errorf("%s lacks %s: %d %s", shown.path, shown.want, r.Status, r.Body)
		}
	}
}

// A link ends after a day.
func TestSetUpLinkExpires(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := setUpConfig(servertest.NewDatabase(t, engine))
		_, token, stop := firstStart(t, config)
		stop()
		config.Clock = func() time.Time { return servertest.FixedClock().Add(24*time.Hour + time.Second) }
		base, _, _ := firstStart(t, config)
		if status, body := setUp(t, base, token, ""); status != 400 || !strings.Contains(body, "no longer valid") {
			t.Errorf("%d %s", status, body)
		}
	})
}

// Of several people who complete the set-up at the same time, on two nodes and with links of their own, one succeeds.
func TestSetUpIsCompletedOnce(t *testing.T) {
	config := setUpConfig(servertest.NewDatabase(t, "postgres"))
	var bases, tokens []string
	for range 2 {
		base, token, _ := firstStart(t, config)
		bases, tokens = append(bases, base), append(tokens, token)
		config.Data = t.TempDir()
	}
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		all.Go(func() { statuses[i], _ = setUp(t, bases[i%2], tokens[i/2%2], "") })
	}
	all.Wait()
	done := 0
	for _, status := range statuses {
		switch status {
		case 204:
			done++
		case 400, 404:
		default:
			t.Errorf("status %d", status)
		}
	}
	if done != 1 {
		t.Errorf("%d of them succeeded: %v", done, statuses)
	}
}

// The currency of a store can be changed until its first receipt, and stays in the answers of other calls.
func TestCurrencyUntilTheFirstReceipt(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base, _ := servertest.RunUntil(t, servertest.PlainConfig(servertest.Database(t, engine)), servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		var list struct {
			Stores []struct{ StoreID, Currency string }
		}
		read := func() string {
			t.Helper()
			if err := json.Unmarshal(admin.Send("GET", "/api/store", "", "").Body, &list); err != nil {
				t.Fatal(err)
			}
			return list.Stores[0].Currency
		}
		read()
		change := func(currency string) reply {
			return admin.Send("PUT", "/api/store/"+list.Stores[0].StoreID+"/currency", "application/json",
				`{"store": {"currency": "`+currency+`"}}`)
		}
		if r := change("jpy"); r.Status != 204 || read() != "JPY" {
			t.Errorf("before a receipt: %d %s, it is %s", r.Status, r.Body, read())
		}
		if r := change("yen!"); r.Status != 400 {
			t.Errorf("no currency: %d %s", r.Status, r.Body)
		}
		r := admin.Send("POST", "/api/DEFAULT/transaction", "application/json", `{"transaction": {
			"transactionData": {"documentNumber": "R-1", "documentType": "sell"},
			"items": [{"sku": {"code": "TEA"}, "name": "Tea", "quantity": 1, "grossValue": 500, "category": "drinks"}],
			"customerData": {"name": "Ida", "email": "ida@example.org"}}}`)
		if r.Status != 200 {
			t.Fatalf("a receipt: %d %s", r.Status, r.Body)
		}
		if r := change("EUR"); r.Status != 400 || !strings.Contains(string(r.Body), "There are receipts in JPY") ||
			read() != "JPY" {
			t.Errorf("after a receipt: %d %s, it is %s", r.Status, r.Body, read())
		}
		if r := change("JPY"); r.Status != 204 {
			t.Errorf("the same currency: %d %s", r.Status, r.Body)
		}
	})
}

// A seller chooses a password by a link that was made for them, once.
func TestSellerLink(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base, _ := servertest.RunUntil(t, servertest.PlainConfig(servertest.Database(t, engine)), servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		post := func(path, body string, into any) reply {
			t.Helper()
			r := admin.Send("POST", path, "application/json", body)
			if into != nil {
				if err := json.Unmarshal(r.Body, into); err != nil || r.Status != 200 {
					t.Fatalf("%s: %d %s", path, r.Status, r.Body)
				}
			}
			return r
		}
		var made struct{ PosID, SellerID string }
		post("/api/DEFAULT/pos", `{"pos": {"name": "Corner"}}`, &made)
		post("/api/DEFAULT/seller/register", `{"seller": {"firstName": "Sam", "lastName": "Seller", "active": true,
			"email": "sam@example.org", "plainPassword": "Unknown-Horse-7", "posId": "`+made.PosID+`"}}`, &made)
		var link struct{ Path, ExpiresAt string }
		post("/api/DEFAULT/seller/"+made.SellerID+"/link", "", &link)
		token, found := strings.CutPrefix(link.Path, "/till/DEFAULT/reset/")
		if want := "2031-05-02T12:00:00"; !found || !strings.HasPrefix(link.ExpiresAt, want) {
			t.Errorf("the link is %+v", link)
		}
		reset := fmt.Sprintf(`{"token": %q, "reset": {"plainPassword": %q}}`, token, setUpPassword)
		somebody := &client{T: t, Base: base}
		if r := somebody.Send("POST", "/api/password/reset", "application/json", reset); r.Status != 200 {
			t.Fatalf("reset: %d %s", r.Status, r.Body)
		}
		servertest.LogIn(t, base, "/api/seller/login_check", "sam@example.org", setUpPassword)
		if r := somebody.Send("POST", "/api/password/reset", "application/json", reset); r.Status != 404 {
			t.Errorf("the second time: %d %s", r.Status, r.Body)
		}
		if r := post("/api/DEFAULT/seller/"+made.SellerID+"/deactivate", "", nil); r.Status/100 != 2 {
			t.Fatalf("switched off: %d %s", r.Status, r.Body)
		}
		for _, id := range []string{made.SellerID, "0190aaaa-0000-7000-8000-000000000000", "nobody"} {
			if r := post("/api/DEFAULT/seller/"+id+"/link", "", nil); r.Status != 404 {
				t.Errorf("a link for %s: %d %s", id, r.Status, r.Body)
			}
		}
	})
}
