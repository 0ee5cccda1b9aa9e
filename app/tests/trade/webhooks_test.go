package trade_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"punchcard/app/servertest"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

func register(t *testing.T, admin *client, name string) {
	t.Helper()
	if r := admin.Form("/api/DEFAULT/customer/register", "customer[firstName]="+name+"&customer[lastName]=N&"+
		"customer[agreement1]=1&customer[email]="+name+"@example.com"); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
}

func makeLevel(admin *client) {
	admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
		"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B")
}

// Events of API calls arrive at a receiver, signed, before and after a restart of the server. The list of deliveries
// shows them.
func TestWebHooksOfAServer(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		address, arrived := servertest.ListenToCalls(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Clock, config.AllowPrivateAddresses, config.Log = time.Now, true, "warn"
		commits := testwait.NewSignal()
		config.OnCommit = commits.Send
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		var made struct{ WebhookSubscriptionID, SigningSecret string }
		reply := admin.Form(servertest.Webhooks, "webhookSubscription[url]="+address+
			"&webhookSubscription[eventName]=Platform.Domain.User.Event.CustomerWasRegistered"+
			"&webhookSubscription[hmacEnabled]=1")
		if err := json.Unmarshal(reply.Body, &made); err != nil || made.SigningSecret == "" {
			t.Fatalf("%d %s", reply.Status, reply.Body)
		}
		library, err := standardwebhooks.NewWebhook(made.SigningSecret)
		if err != nil {
			t.Fatal(err)
		}
		makeLevel(admin)
		for i := range 3 {
			if i == 2 { // lets the server store the outcome of its last call, which is then not repeated
				stop()
				base, _ = servertest.RunUntil(t, config, servertest.Log(t))
				admin = servertest.LogInAdmin(t, base)
			}
			name := fmt.Sprint("ada", i)
			register(t, admin, name)
			expectCall(t, library, arrived, name, `"storeCode":"DEFAULT"`)
		}
		path := servertest.Webhooks + "/" + made.WebhookSubscriptionID
		expectDelivered(t, admin, commits, path, 3)
		r := admin.Send("POST", path+"/test", "", "")
		expectCall(t, library, arrived, "Platform.Webhook.Test")
		if !strings.Contains(string(r.Body), `"delivered":true`) {
			t.Errorf("test: %s", r.Body)
		}
		if r := admin.Send("GET", path, "", ""); strings.Contains(string(r.Body), made.SigningSecret) {
			t.Error("the secret is shown again")
		}
	})
}

// expectCall waits for a signed call that contains all words.
func expectCall(t *testing.T, library *standardwebhooks.Webhook, arrived chan servertest.Arrival, words ...string) {
	t.Helper()
	select {
	case got := <-arrived:
		if err := library.Verify(got.Body, got.Header); err != nil {
			t.Error(err)
		}
		for _, word := range words {
			if !strings.Contains(string(got.Body), word) {
				t.Errorf("no %s in %s", word, got.Body)
			}
		}
	case <-time.After(testwait.Limit()):
		t.Fatal("no call arrived")
	}
}

// expectDelivered waits until the list of deliveries has so many events that were delivered at the first attempt.
// Outcomes are stored after the receiver has responded.
func expectDelivered(t *testing.T, admin *client, commits testwait.Signal, path string, want int) {
	t.Helper()
	type delivery struct {
		State    string
		Attempts int
	}
	commits.Until(t, "the deliveries are in the list", func() bool {
		r := admin.Send("GET", path+"/deliveries?state=delivered", "", "")
		var log struct {
			Total      int
			Deliveries []delivery
		}
		if err := json.Unmarshal(r.Body, &log); err != nil {
			t.Fatal(err)
		}
		if log.Total == want && log.Deliveries[0] != (delivery{"delivered", 1}) {
			t.Errorf("%s", r.Body)
		}
		return log.Total == want
	})
}

// A store has a limited number of subscriptions, and cannot reach those of another store.
func TestSubscriptionsOfAStore(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := servertest.LogInAdmin(t, servertest.StartServer(t, engine, nil))
		r := admin.Form("/api/store", "store[code]=TWIN&store[name]=T&store[currency]=EUR&store[active]=1")
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		const body = "webhookSubscription[url]=https://shop..example&webhookSubscription[eventName]=*&" +
			"webhookSubscription[active]=0"
		var last string
		for range webhook.SubscriptionLimit {
			last = servertest.FirstID(string(admin.Form(servertest.Webhooks, body).Body))
		}
		r = admin.Form(servertest.Webhooks, body)
		if r.Status != 400 || string(r.Body) != `{"error":"The store has too many web hook subscriptions"}` {
			t.Errorf("one more: %d %s", r.Status, r.Body)
		}
		for _, call := range [][2]string{
			{"GET", ""}, {"PUT", ""}, {"DELETE", ""}, {"POST", "/rotate"}, {"POST", "/test"}, {"POST", "/replay"},
			{"GET", "/deliveries"},
		} {
			path := "/api/TWIN/webhook/subscription/" + last + call[1]
			if r := admin.Send(call[0], path, servertest.FormType, body); r.Status != 404 {
				t.Errorf("%s %s: %d %s", call[0], path, r.Status, r.Body)
			}
		}
		if r := admin.Send("DELETE", servertest.Webhooks+"/"+last, "", ""); r.Status != 204 {
			t.Errorf("%d %s", r.Status, r.Body)
		}
		if r := admin.Form(servertest.Webhooks, body); r.Status != 200 {
			t.Errorf("after one was deleted: %d %s", r.Status, r.Body)
		}
	})
}

// An open stream of events does not delay a server that stops.
func TestEventStreamOfAServer(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		request, err := http.NewRequest("GET", base+"/api/event/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+admin.Token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		lines := bufio.NewReader(answer.Body)
		makeLevel(admin)
		register(t, admin, "ada")
		for line := ""; line != "id: 5\n"; {
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		if _, err := io.Copy(io.Discard, lines); err != nil {
			t.Errorf("the stream broke off: %v", err)
		}
	})
}

// shortCall is the body of a call with a short name.
type shortCall struct {
	Type      string         `json:"type"`
	CreatedAt string         `json:"createdAt"`
	Data      map[string]any `json:"data"`
}

// expectShort waits for the next call with a short name and compares members of its data, as they print. Calls about
// different objects come in any order.
func expectShort(t *testing.T, arrived chan servertest.Arrival, name string, want map[string]any) (shortCall,
	servertest.Arrival) {
	t.Helper()
	for {
		select {
		case a := <-arrived:
			var c shortCall
			if err := json.Unmarshal(a.Body, &c); err != nil {
				t.Fatalf("%v: %s", err, a.Body)
			}
			if c.Type != name {
				continue
			}
			for member, value := range want {
				if fmt.Sprint(c.Data[member]) != fmt.Sprint(value) {
					t.Errorf("%s is not %v: %s", member, value, a.Body)
				}
			}
			code := cmp.Or(want["storeCode"], any("DEFAULT"))
			if c.Data["storeCode"] != code || c.Data["customerId"] == nil || c.CreatedAt == "" {
				t.Errorf("%s", a.Body)
			}
			return c, a
		case <-time.After(testwait.Limit()):
			t.Fatalf("no call of %s", name)
		}
	}
}

// mustPost sends a form that has to succeed.
func mustPost(t *testing.T, by *client, path, form string) reply {
	t.Helper()
	r := by.Form(path, form)
	if r.Status != 200 {
		t.Fatalf("%s: %d %s", path, r.Status, r.Body)
	}
	return r
}

// newSecretOfSettings rotates the secret of the only subscription, which the settings manage.
func newSecretOfSettings(t *testing.T, admin *client) *standardwebhooks.Webhook {
	t.Helper()
	var list struct {
		Subscriptions []struct{ WebhookSubscriptionID, ManagedBy string }
	}
	r := admin.Send("GET", servertest.Webhooks, "", "")
	if err := json.Unmarshal(r.Body, &list); err != nil || len(list.Subscriptions) != 1 ||
		list.Subscriptions[0].ManagedBy != "settings" {
		t.Fatalf("%s", r.Body)
	}
	var made struct{ SigningSecret string }
	r = mustPost(t, admin, servertest.Webhooks+"/"+list.Subscriptions[0].WebhookSubscriptionID+"/rotate", "")
	if err := json.Unmarshal(r.Body, &made); err != nil {
		t.Fatal(err)
	}
	library, err := standardwebhooks.NewWebhook(made.SigningSecret)
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// The address of the settings gets events under their short names, with the header of the settings, signed, also after
// a restart. It gets nothing of the time when it is switched off.
func TestWebHooksOfSettings(t *testing.T) {
	const (
		base     = "/api/DEFAULT/"
		switches = "settings[returns]=1&settings[allTimeNotLocked]=1&settings[webhooks]="
		balance  = "account.available_points_amount_changed"
	)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		address, arrived := servertest.ListenToCalls(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Clock, config.AllowPrivateAddresses, config.Log = time.Now, true, "warn"
		server, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, server)
		makeLevel(admin)
		register(t, admin, "tom") // is not sent
		mustPost(t, admin, base+"settings", switches+"1&settings[uriWebhooks]="+address+
			"&settings[webhookHeaderName]=X-Shop-Key&settings[webhookHeaderValue]=open+sesame")
		library := newSecretOfSettings(t, admin)
		register(t, admin, "ann")
		first, call := expectShort(t, arrived, "customer.registered", map[string]any{"firstName": "ann"})
		if err := library.Verify(call.Body, call.Header); err != nil || call.Header.Get("X-Shop-Key") != "open sesame" {
			t.Errorf("%v %v", err, call.Header)
		}

		stop()
		server, _ = servertest.RunUntil(t, config, servertest.Log(t))
		admin = servertest.LogInAdmin(t, server)
		ann := fmt.Sprint(first.Data["customerId"])
		for _, change := range []struct {
			path           string
			points, amount int
			kind           string
		}{{"add", 100, 100, "add"}, {"spend", 30, 70, "subtract"}, {"block", 20, 50, "subtract"}} {
			mustPost(t, admin, base+"points/transfer/"+change.path,
				fmt.Sprintf("transfer[customer]=%s&transfer[points]=%d", ann, change.points))
			expectShort(t, arrived, balance, map[string]any{"customerId": ann, "amount": change.amount,
				"amount_change": change.points, "amount_change_type": change.kind})
		}
		const document, item = "transaction[transactionData]", "transaction[items][0]"
		mustPost(t, admin, base+"transaction", document+"[documentNumber]=R1&"+document+"[documentType]=sell&"+
			document+"[purchaseDate]=2026-04-17T12:00:00Z&transaction[customerData][name]=Ann&"+
			"transaction[customerData][email]=ann@example.com&"+item+"[sku][code]=A&"+item+"[name]=A&"+
			item+"[quantity]=1&"+item+"[grossValue]=12.5&"+item+"[category]=C")
		expectShort(t, arrived, "transaction.registered",
			map[string]any{"documentNumber": "R1", "grossValue": 12.5, "customerId": ann})

		mustPost(t, admin, base+"settings", switches+"0")
		register(t, admin, "eve") // is not sent
		mustPost(t, admin, base+"settings", switches+"1")
		register(t, admin, "kim")
		expectShort(t, arrived, "customer.registered", map[string]any{"firstName": "kim"})
	})
}
