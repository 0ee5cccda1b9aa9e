package contract_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/api"
	"punchcard/core/api/openapi"
	"punchcard/platform/db/dbtest"
)

// keyed sends a request under a key.
func keyed(c *client, key, method, path, contentType, body string) reply {
	c.T.Helper()
	request, err := http.NewRequest(method, c.Base+path, strings.NewReader(body))
	if err != nil {
		c.T.Fatal(err)
	}
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("Authorization", "Bearer "+c.Token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return servertest.Send(c.T, request)
}

func keyedForm(c *client, key, path, body string) reply {
	c.T.Helper()
	return keyed(c, key, http.MethodPost, path, "application/x-www-form-urlencoded", body)
}

// isAgain reports whether the second response is the first one, marked as replayed.
func isAgain(first, second reply) bool {
	return second.Status == first.Status && isSameBody(first, second) &&
		second.Header.Get("Content-Type") == first.Header.Get("Content-Type") &&
		second.Header.Get("Idempotent-Replayed") == "true" && first.Header.Get("Idempotent-Replayed") == ""
}

// requestID matches the only member of a refusal that differs each time.
var requestID = regexp.MustCompile(`"requestId":"[^"]*",?`)

func isSameBody(first, second reply) bool {
	return bytes.Equal(requestID.ReplaceAll(first.Body, nil), requestID.ReplaceAll(second.Body, nil))
}

// Another node, and a restarted one, replay the response that is stored for a key, for every kind of write.
func TestKeysOutliveTheServer(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		ids, _ := servertest.Stock(t, config.Database, 2, 1)
		admin := servertest.LogInAdmin(t, base)
		n := nodes{admin}
		one := "/api/DEFAULT/customer/" + ids[1]
		campaign := n.Campaign(10, 5, nil)
		const urlencoded = "application/x-www-form-urlencoded"
		multi, photo := servertest.PictureForm(t, "photo[file]")
		asked := [][5]string{
			{"register", "POST", "/api/DEFAULT/admin/customer/register", urlencoded,
				"customer[firstName]=Ida&customer[lastName]=Berg&customer[email]=ida@example.com&customer[agreement1]=1"},
			{"campaign", "POST", "/api/DEFAULT/campaign", urlencoded, n.CampaignForm(20, 3, nil)},
			{"photo", "POST", "/api/DEFAULT/campaign/" + campaign + "/photo", multi, photo},
			{"buy", "POST", "/api/DEFAULT/admin/customer/" + ids[0] + "/campaign/" + campaign + "/buy", "", ""},
			{"put", "PUT", one, urlencoded, "customer[firstName]=Ole"},
			{"points", "POST", "/api/DEFAULT/points/transfer/add", urlencoded,
				"transfer[customer]=" + ids[0] + "&transfer[points]=7"},
			{"delete", "DELETE", one, "", ""},
		}
		first := map[string]reply{}
		for _, a := range asked {
			r := keyed(admin, a[0], a[1], a[2], a[3], a[4])
			if first[a[0]] = r; r.Status >= 300 {
				t.Errorf("%s: %d %s", a[0], r.Status, r.Body)
			}
		}
		events := admin.EventCount()
		stop()
		admin.Base = servertest.Run(t, config)
		for _, a := range asked {
			again := keyed(admin, a[0], a[1], a[2], a[3], a[4])
			if !isAgain(first[a[0]], again) {
				t.Errorf("%s: %d %s, then %d %s", a[0], first[a[0]].Status, first[a[0]].Body, again.Status, again.Body)
			}
			if other := keyed(admin, a[0], a[1], a[2]+"?x=1", a[3], a[4]); other.Status != 422 {
				t.Errorf("%s, another request: %d %s", a[0], other.Status, other.Body)
			}
		}
		if n := admin.EventCount(); n != events {
			t.Errorf("%d events were added by repetitions", n-events)
		}
		if left := (nodes{admin}).Balance(ids[0]); left != 100-10+7 {
			t.Errorf("the balance is %d", left)
		}
	})
}

// A hundred concurrent requests with one key, spread over all nodes, make one purchase. All successful responses are
// the same.
func TestAHundredPurchasesWithOneKey(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 2, func(t *testing.T, n nodes, customers []string) {
		campaign := n.Campaign(1, 100, nil)
		for round, customer := range customers {
			path := "/api/DEFAULT/admin/customer/" + customer + "/campaign/" + campaign + "/buy"
			keys := []int{1, 20}[round]
			replies := n.AtOnce(100, func(node *client, i int) reply {
				return keyedForm(node, fmt.Sprintf(`"round %d, %d"`, round, i/len(n)%keys), path, "quantity=1")
			})
			answers := map[string]bool{}
			for _, r := range replies {
				switch {
				case r.Status == 200:
					answers[string(r.Body)] = true
				case r.Status != 409 || r.Header.Get("Retry-After") != "1":
					t.Errorf("%d %s", r.Status, r.Body)
				}
			}
			if left := n.Balance(customer); len(answers) != keys || left != 100-int64(keys) {
				t.Errorf("%d keys: %d different answers, %d points left", keys, len(answers), left)
			}
		}
		var all []string
		for _, p := range n.Bought() {
			all = append(all, p.Coupon.Code)
		}
		n.CheckSold(all)
		if len(all) != 21 {
			t.Errorf("%d purchases", len(all))
		}
	})
}

// A receipt and a callback have one effect without a key, also when several nodes receive them concurrently.
func TestWhatIsTheSameByNatureActsOnce(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 1, func(t *testing.T, n nodes, customers []string) {
		document := url.Values{
			"transaction[transactionData][documentNumber]": {"R-1"}, "transaction[transactionData][documentType]": {"sell"},
			"transaction[transactionData][purchaseDate]": {"2031-04-30 10:00"}, "transaction[customerData][name]": {"C"},
			"transaction[customerData][email]": {"c0@example.com"}, "transaction[items][0][sku][code]": {"A"},
			"transaction[items][0][name]": {"A"}, "transaction[items][0][quantity]": {"1"},
			"transaction[items][0][grossValue]": {"10"}, "transaction[items][0][category]": {"C"},
		}.Encode()
		believed := 0
		for _, r := range n.AtOnce(20, func(node *client, _ int) reply {
			return node.Form("/api/DEFAULT/transaction", document)
		}) {
			switch {
			case r.Status == 200:
				believed++
			case r.Status != 400 || !strings.Contains(string(r.Body), "Document number should be unique"):
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}
		if recorded := n.CountEvents("TransactionWasRegistered"); believed != 1 || recorded != 1 {
			t.Errorf("%d documents are believed, %d events", believed, recorded)
		}
		n.Campaign(0, 0, url.Values{"campaign[reward]": {"cashback"}, "campaign[pointValue]": {"1"},
			"campaign[cashbackProvider]": {"payprovider"}})
		redeemed := n[0].Form("/api/DEFAULT/admin/campaign/cashback/redeem", "customerId="+customers[0]+"&pointsAmount=40")
		if redeemed.Status != 200 || n.Balance(customers[0]) != 60 {
			t.Fatalf("%d %s", redeemed.Status, redeemed.Body)
		}
		coupon := n.Bought()[0].Coupon.ID
		for _, r := range n.AtOnce(20, func(node *client, _ int) reply {
			return node.Callback(customers[0]+"_"+coupon, "FAILED")
		}) {
			if r.Status != 200 || !strings.Contains(string(r.Body), `"failed":true`) {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}
		recorded := n.CountEvents("CampaignBoughtCashbackStatusWasChanged")
		if left := n.Balance(customers[0]); left != 100 || recorded != 1 {
			t.Errorf("%d points, %d events", left, recorded)
		}
	})
}

// countedTwice lists the transcripts in which a repeated request counts twice, also with a key, and why.
var countedTwice = map[string]string{
	"35-invitation-limit.txt":    "has limits of requests",
	"68-customer-status.txt":     "has keys of its own",
	"69-coupons-at-the-till.txt": "has limits of requests",
	"121-checkout.txt":           "has limits of requests",
	"78-problem-details.txt":     "has keys of its own",
	"80-idempotency.txt":         "has keys of its own",
	"82-limits.txt":              "has limits of requests",
	"94-audit.txt":               "has keys of its own",
	"94-import-repeated.txt":     "has keys of its own",
	"94-imports.txt":             "has keys of its own",
	"95-accounts.txt":            "ends the session of its caller",
}

// Every write of every transcript, sent twice with a key, has the same response and effect as without a key, and none
// the second time. Each transcript runs on one of the databases only: TestTranscripts shows that they agree.
func TestConversationsUnderKeys(t *testing.T) {
	files, err := filepath.Glob("../../../docs/transcripts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if countedTwice[filepath.Base(file)] != "" {
			continue
		}
		engine := dbtest.Engines[0]
		if i%4 == 1 { // PostgreSQL takes four times as long as SQLite
			engine = dbtest.Engines[len(dbtest.Engines)-1]
		}
		t.Run(filepath.Base(file)+"/"+engine, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			base, _, _ := servertest.StartRested(t, servertest.PlainConfig(servertest.TranscriptDatabase(t, engine, file)),
				servertest.Log(t))
			p := servertest.NewPlayer(t, base)
			p.Send = twiceUnderKeys()
			got := p.Play(string(text))
			if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("under keys the server answers otherwise (-transcript +server):\n%s", diff)
			}
		})
	}
}

// twiceUnderKeys sends each request that accepts keys twice with a key of its own, and returns the first response.
func twiceUnderKeys() func(t testing.TB, request *http.Request) reply {
	endpoints, n := app.EndpointTable(), 0
	return func(t testing.TB, request *http.Request) reply {
		t.Helper()
		e := openapi.Match(endpoints, request.Method, request.URL.Path)
		if e == nil || !e.Keyed() || request.Header.Get(api.DryRunHeader) != "" { // dry runs store no key
			return servertest.Send(t, request)
		}
		n++
		request.Header.Set("Idempotency-Key", fmt.Sprint("exchange-", n))
		copied := request.Clone(t.Context())
		first := servertest.Send(t, request)
		if request.GetBody != nil {
			var err error
			if copied.Body, err = request.GetBody(); err != nil {
				t.Fatal(err)
			}
		}
		second := servertest.Send(t, copied)
		final := first.Status < 300 || second.Header.Get("Idempotent-Replayed") != ""
		if final && !isAgain(first, second) || second.Status != first.Status || !isSameBody(first, second) {
			t.Errorf("%s %s: %d %s, then %d %s", request.Method, request.URL, first.Status, first.Body, second.Status,
				second.Body)
		}
		return first
	}
}

// withoutOneTransaction are the writes that ignore keys, because they write nothing or their responses must not be
// stored, and those of several transactions, each with what makes a repetition harmless.
var withoutOneTransaction = map[string]string{
	"POST /api/admin/login_check": "tokens", "POST /api/{storeCode}/admin/login_check": "tokens",
	"POST /api/customer/login_check": "tokens", "POST /api/{loginStore}/customer/login_check": "tokens",
	"POST /api/{loginStore}/member/login_check": "tokens", "POST /api/seller/login_check": "tokens",
	"POST /api/{loginStore}/seller/login_check": "tokens", "POST /api/token/refresh": "tokens",
	"POST /api/admin/data":                "a permanent key; the name is taken the second time",
	"POST /api/{storeCode}/token/refresh": "tokens", "POST /api/token/revoke": "must end what was given since, too",
	"DELETE /api/me/sessions/{session}": "a session ends once", "POST /api/session": "tokens",
	"POST /api/login/factor": "tokens", "POST /api/login/factor/challenge": "a challenge has one answer",
	"POST /api/login/passkey": "tokens", "POST /api/login/passkey/challenge": "a challenge has one answer",
	"POST /api/me/factors/challenge": "a challenge has one answer",
	"POST /api/me/factors/use":       "a factor counts once",
	"POST /api/me/factors/totp":      "a secret", "POST /api/me/factors/totp/confirm": "recovery codes",
	"POST /api/me/factors/recovery-codes":     "recovery codes",
	"POST /api/me/factors/passkeys/challenge": "a challenge has one answer",
	"POST /api/me/factors/passkeys":           "recovery codes; a challenge has one answer",
	"POST /api/admin/invitation":              "a link is a secret",
	"POST /api/admin/data/{admin}/invitation": "a link is a secret",
	"POST /api/{storeCode}/till":              "a secret; the last one counts",
	"POST /api/{storeCode}/till/session":      "tokens",
	"POST /api/{storeCode}/till/device":       "writes nothing",
	"POST /oauth/token":                       "tokens", "POST /api/admin/key": "a secret; unknown keys can be revoked",
	"POST /api/admin/key/{key}/rotate": "a secret; the last one counts",
	"POST /api/session/start":          "a secret; each is for one use", "POST /api/session/finish": "tokens",
	"POST /api/session/logout/{identityProvider}": "a token is for one use",
	"POST /api/me/identities/start":               "a secret; each is for one use",
	"POST /api/me/identities":                     "what the browser sends is for one use",

	"POST /api/{storeCode}/session/start":                     "a secret; each is for one use",
	"POST /api/{storeCode}/session/finish":                    "tokens",
	"POST /api/{storeCode}/session/logout/{identityProvider}": "a token is for one use",
	"POST /api/{storeCode}/seller/identities/start":           "a secret; each is for one use",
	"POST /api/{storeCode}/seller/identities":                 "what the browser sends is for one use",

	"POST /api/{storeCode}/admin/identity-provider/{identityProvider}/test": "writes nothing, calls each time",
	"POST /api/{storeCode}/admin/identity-provider/preview":                 "writes nothing",
	"POST /api/{storeCode}/admin/identity-provider/test":                    "writes nothing, calls each time",

	"POST /api/admin/identity-provider/{identityProvider}/test":         "writes nothing, calls each time",
	"POST /api/admin/identity-provider/preview":                         "writes nothing",
	"POST /api/admin/identity-provider/test":                            "writes nothing, calls each time",
	"POST /api/{storeCode}/admin/customer/{customer}/campaign/validate": "writes nothing",
	"POST /api/{storeCode}/customer/campaign/validate":                  "writes nothing",
	"POST /api/{storeCode}/admin/campaign/cashback/simulate":            "writes nothing",
	"POST /api/{storeCode}/transaction/simulate":                        "writes nothing",
	"POST /api/{storeCode}/seller/transaction/preview":                  "writes nothing",
	"POST /api/{storeCode}/checkout":                                    "writes nothing",
	"POST /api/{storeCode}/checkout/loyalty":                            "writes nothing",
	"POST /api/{storeCode}/segment/preview":                             "writes nothing",
	"POST /api/{storeCode}/admin/import/{kind}/preview":                 "writes nothing",
	"POST /api/{storeCode}/campaign/audience/preview":                   "writes nothing",
	"POST /api/{storeCode}/message/preview":                             "writes nothing",
	"POST /api/{storeCode}/admin/mailing/audience/preview":              "writes nothing",
	"POST /api/{storeCode}/admin/mailing/preview":                       "writes nothing",
	"POST /api/{storeCode}/admin/mailing/test":                          "sends at once",
	"POST /api/{storeCode}/admin/journey/audience/preview":              "writes nothing",
	"POST /api/{storeCode}/admin/journey/preview":                       "writes nothing",
	"POST /api/{storeCode}/admin/journey/test":                          "sends at once",
	"POST /api/{storeCode}/message/{message}/test":                      "writes nothing, calls each time",
	"POST /api/{storeCode}/campaign/{campaign}/codes":                   "steps: codes that are there are skipped",
	"DELETE /api/{storeCode}/campaign/{campaign}/codes":                 "steps: what is gone stays gone",
	"POST /api/{storeCode}/points/deleted-accounts/cancel":              "steps: what was cancelled is not there any more",
	"POST /api/{storeCode}/pos/search/customer":                         "writes nothing",
	"POST /api/{storeCode}/webhook/subscription/{subscription}/test":    "writes nothing, calls each time",
	"POST /api/{storeCode}/admin/notification/gateway/test":             "writes nothing, calls each time",
	"POST /api/{storeCode}/admin/message/settings/test":                 "writes nothing, calls each time",
	"POST /api/admin/jobs/{name}/run":                                   "does what is due, however often",
	"POST /api/setup/link":                                              "writes nothing",
	"POST /api/setup":                                                   "has a password; done once",
	"POST /api/{storeCode}/seller/{seller}/link":                        "a secret; each is for one use",

	"POST /api/{storeCode}/admin/customer/import":                      "steps: the import goes on",
	"POST /api/{storeCode}/points/transfer/import":                     "steps: the import goes on",
	"POST /api/{storeCode}/admin/transaction/import":                   "steps: the import goes on",
	"POST /api/{storeCode}/admin/transaction/customer/assign/import":   "steps: the import goes on",
	"POST /api/{storeCode}/admin/clock":                                "steps: cut off, it may move twice",
	"POST /api/{storeCode}/admin/customer/{customer}/anonymize":        "steps: what is gone stays gone",
	"POST /api/{storeCode}/webhook/subscription/{subscription}/retry":  "steps: receivers know the ids",
	"POST /api/{storeCode}/webhook/subscription/{subscription}/replay": "steps: receivers know the ids",
}

func TestWritesWithoutOneTransaction(t *testing.T) {
	left := maps.Clone(withoutOneTransaction)
	for _, e := range app.EndpointTable() {
		name := e.Method + " " + e.Path
		reason, listed := withoutOneTransaction[name]
		steps := strings.HasPrefix(reason, "steps: ")
		if e.Method != http.MethodGet && (e.Unkeyed != (listed && !steps) || e.Stepwise != steps) {
			t.Errorf("%s: unkeyed %t, stepwise %t, listed as %q", name, e.Unkeyed, e.Stepwise, reason)
		}
		delete(left, name)
	}
	for name := range left {
		t.Errorf("%s is no endpoint", name)
	}
}
