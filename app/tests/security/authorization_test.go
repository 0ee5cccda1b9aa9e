package security_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db/dbtest"
)

// The stores that a path may name: the caller's, another one, and one that does not exist.
const (
	ownStore     = "DEFAULT"
	foreignStore = "TWIN"
	noStore      = "NOWHERE"
)

const masterKey = "master-key-of-the-tests"

// principal is a caller.
type principal struct {
	name        string
	header      string // of the credentials; empty for none
	credentials string
	role        access.Role
	store       string                         // of customers and sellers
	master      bool                           // an administrator who may do everything
	permissions map[string][]string            // of the other administrators
	inStores    map[string]map[string][]string // of administrators with roles in some stores, by code
	permanent   bool                           // has no password
	refused     int                            // the status of credentials that are no good; 0 for good ones
	customer    string                         // the customer in paths
	self        bool                           // the customer in paths is the caller
	campaign    string                         // the campaign in paths; an unknown one if empty
	byStatus    map[string]string              // what the documentation says about the caller's status, by endpoint
}

// Each kind of caller calls every endpoint, in their own store, in another store and in an unknown one. Calls that the
// endpoint table does not allow are refused, and those that it allows get neither 401 nor 403. Each response has the
// headers that protect browsers. Of the roles with one permission, each is tried on one of the databases, which have no
// part in what a permission allows.
func TestEveryEndpointHoldsItsRule(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		moments := make(chan time.Time, 1)
		moments <- servertest.StartOfTests
		clock := func() time.Time { now := <-moments; moments <- now; return now }
		config := servertest.PlainConfig(servertest.DemoDatabase(t, engine))
		config.Clock, config.MasterKey = clock, masterKey
		base := servertest.Run(t, config)
		all := everybody(t, base, slices.Index(dbtest.Engines, engine))
		all = append(all, customersByStatus(t, servertest.LogInAdmin(t, base), config.Database)...)
		m := &matrix{t: t, base: base, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}}
		m.play(all)
		moments <- (<-moments).Add(config.TokenLife + time.Second)
		m.play(outlived(all))
		m.client.CloseIdleConnections()
		t.Logf("%d combinations of endpoint, caller and store, %d of them granted", m.asked.Load(), m.granted.Load())
	})
}

// What the endpoint table may allow each kind of caller.
func TestTheTableGrantsNoMore(t *testing.T) {
	anonymous := []string{"10", "13", "19", "37", "38", "A1", "A2", "A3", "A4", "A6", "A7", "A8", "B3", "B4", "B5", "D11",
		"B22", "B34", "G6", "I2", "I3", "J3", "J4",
		"J5", "J6", "J7", "J8", "J13", "J19", ""}
	public := []string{ // of ours, besides those that read
		"POST /api/{storeCode}/seller/password/reset/request",
		"POST /api/seller/password/reset/request", "POST /api/customer/password/reset/request",
		"POST /api/{storeCode}/customer/activation/request",
		"POST /api/{storeCode}/customer/unsubscribe/{token}", // the token names the customer
		"POST /api/setup/link", "POST /api/setup",            // with the token of the link, before there is anybody
		"POST /api/session",                                          // with the cookie of a session
		"POST /api/login/factor", "POST /api/login/factor/challenge", // with the token of a log-in
		"POST /api/login/passkey", "POST /api/login/passkey/challenge",
		"POST /api/{storeCode}/till/device", "POST /api/{storeCode}/till/session", // with the cookie of a till
		"POST /oauth/token",                                   // with the secret of a key
		"POST /api/session/start", "POST /api/session/finish", // with what an identity provider says
		"POST /api/{storeCode}/session/start", "POST /api/{storeCode}/session/finish",
		"POST /api/session/logout/{identityProvider}", // with a token that the provider has signed
		"POST /api/{storeCode}/session/logout/{identityProvider}",
	}
	onlyRead := []string{"29", "F17"} // what a sale would earn; the request has a body
	for _, e := range app.EndpointTable() {
		rule, inner := e.Access, strings.TrimPrefix(e.Path, "/api/{storeCode}")
		problem := ""
		switch {
		case rule.Anyone && (!slices.Contains(anonymous, servertest.CodeOf(&e)) || servertest.CodeOf(&e) == "" &&
			e.Method != "GET") &&
			!slices.Contains(public, e.Method+" "+e.Path):
			problem = "everybody"
		case rule.Anyone:
		case len(rule.Roles) == 0:
			problem = "nobody"
		case strings.HasPrefix(inner, "/admin/") && !slices.Equal(rule.Roles, []access.Role{access.Administrator}):
			problem = "others than administrators"
		case strings.HasPrefix(inner, "/seller/customer/") && !slices.Equal(rule.Roles, []access.Role{access.Seller}):
			problem = "others than sellers"
		case rule.Resource != "" && (e.Method == "GET") != (rule.Access == access.View) &&
			!slices.Contains(onlyRead, servertest.CodeOf(&e)) &&
			inner != "/message/preview" && inner != "/checkout" && inner != "/checkout/loyalty" && // these store nothing
			!strings.HasPrefix(inner, "/admin/analytics/report") && // stores only what the caller may read
			!strings.HasPrefix(inner, "/admin/customer-view") && // one's own views; shared ones need MODIFY
			!strings.HasPrefix(inner, "/admin/bulk-action"): // its kind decides on what the caller needs MODIFY
			problem = "administrators with " + rule.Access
		}
		if problem != "" {
			t.Errorf("%s %s (%s) is open to %s", e.Method, e.Path, servertest.CodeOf(&e), problem)
		}
	}
}

// outlived returns callers whose access tokens have expired.
func outlived(all []principal) (expired []principal) {
	for _, p := range all {
		if p.header == "Authorization" {
			p.name, p.refused, p.byStatus = "outlived "+p.name, http.StatusUnauthorized, nil
			expired = append(expired, p)
		}
	}
	return expired
}

// everybody returns one caller of each kind. Each of the databases has its share of the roles with one permission.
func everybody(t *testing.T, base string, share int) []principal {
	t.Helper()
	admin := servertest.LogInAdmin(t, base)
	twins := openTwin(t, admin)
	customer := servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty")
	seller := servertest.LogIn(t, base, "/api/seller/login_check", "seller@example.com", "open")
	own, other := customer.OwnID(), otherCustomer(t, admin, customer.OwnID())
	super := principal{role: access.Administrator, master: true}
	all := []principal{
		{name: "nobody", refused: http.StatusUnauthorized},
		super.as("administrator", admin),
		super.with("master key", masterKey),
		principal{role: access.Customer, store: ownStore, customer: own, self: true}.as("customer", customer),
		principal{role: access.Customer, store: ownStore, customer: other}.as("customer about another", customer),
		principal{role: access.Customer, store: foreignStore}.as("foreign customer", twins[access.Customer]),
		principal{role: access.Seller, store: ownStore}.as("seller", seller),
		principal{role: access.Seller, store: foreignStore}.as("foreign seller", twins[access.Seller]),
	}
	// Roles with one permission each, held by integrations, whose keys need no hash of a password.
	add := func(name string, permissions map[string][]string) {
		key := strings.ToLower(strings.ReplaceAll("key-of-"+name, " ", "-")) + "-in-the-tests"
		p := principal{role: access.Administrator, permissions: permissions}
		servertest.AddIntegration(t, admin, servertest.AddRole(t, admin, name, permissions), key)
		all = append(all, p.with(name, key))
	}
	for i, resource := range access.Resources {
		for j, granted := range []string{access.View, access.Modify} {
			if (i+j)%len(dbtest.Engines) == share {
				add(resource+" "+granted, map[string][]string{resource: {granted}})
			}
		}
	}
	all = append(all, workerOfStores(t, admin, share))
	return append(all, barred(t, admin, seller)...)
}

// workerOfStores returns an administrator with a different role in each of two stores, or with one in their own store
// only.
func workerOfStores(t *testing.T, admin *client, share int) principal {
	t.Helper()
	roles := map[string]map[string][]string{
		ownStore: {access.Customers: {access.Modify}, access.Admin: {access.Modify}, access.Settings: {access.View}},
	}
	if share > 0 {
		roles[foreignStore] = map[string][]string{access.POS: {access.Modify}, access.Customers: {access.View}}
	}
	var list struct {
		Stores []struct{ StoreID, Code string }
	}
	stores := admin.Send("GET", "/api/store?perPage=100", "", "").Must(t)
	if err := json.Unmarshal([]byte(stores), &list); err != nil {
		t.Fatal(err)
	}
	body := "admin[external]=1&admin[isActive]=1&admin[apiKey]=key-of-a-worker-of-stores&admin[email]=w@example.com"
	n := 0
	for _, s := range list.Stores {
		if permissions := roles[s.Code]; permissions != nil {
			body += fmt.Sprintf("&admin[storeRoles][%d][store]=%s&admin[storeRoles][%[1]d][role]=%[3]s", n, s.StoreID,
				servertest.AddRole(t, admin, "Worker in "+s.Code, permissions))
			n++
		}
	}
	admin.Form("/api/admin/data", body).Must(t)
	p := principal{role: access.Administrator, inStores: roles}
	return p.with("worker of stores", "key-of-a-worker-of-stores")
}

// barred returns callers whose credentials are wrong or no longer valid.
func barred(t *testing.T, admin, seller *client) []principal {
	t.Helper()
	const former = "key-of-an-integration-that-is-switched-off"
	id := servertest.AddIntegration(t, admin, "1", former)
	admin.Form("/api/admin/data/"+id+"?_method=PUT", "admin[external]=1&admin[isActive]=0&admin[email]="+id+
		"@example.com&admin[roles][]=1").Must(t)
	left := addSeller(t, admin)
	gone := servertest.LogIn(t, admin.Base, "/api/DEFAULT/seller/login_check", "gone@example.com", "Correct-Horse-7")
	admin.Form("/api/DEFAULT/seller/"+left+"/deactivate", "").Must(t)
	forged, signed := *admin, strings.LastIndex(admin.Token, ".")
	forged.Token = admin.Token[:signed] + seller.Token[strings.LastIndex(seller.Token, "."):]
	unsigned := *admin
	unsigned.Token = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0" + admin.Token[strings.Index(admin.Token, "."):signed+1]
	out := principal{refused: http.StatusUnauthorized}
	wrong := principal{refused: http.StatusForbidden} // of permanent keys
	return []principal{
		out.as("seller who was switched off", gone), out.as("forger", &forged), out.as("signer of nothing", &unsigned),
		out.as("teller of nonsense", &client{Token: "nonsense"}),
		wrong.with("integration that was switched off", former), wrong.with("guesser of keys", "guess-of-a-permanent-key"),
	}
}

// otherCustomer returns another customer of the store.
func otherCustomer(t *testing.T, admin *client, than string) string {
	t.Helper()
	var list struct {
		Customers []struct{ CustomerID string }
	}
	if err := json.Unmarshal([]byte(admin.Send("GET", "/api/DEFAULT/customer", "", "").Must(t)), &list); err != nil {
		t.Fatal(err)
	}
	for _, one := range list.Customers {
		if one.CustomerID != than {
			return one.CustomerID
		}
	}
	t.Fatal("the store has no other customer")
	return ""
}

// addSeller adds gone@example.com to the demonstration's first point of sale.
func addSeller(t *testing.T, admin *client) (id string) {
	t.Helper()
	pos := admin.Send("GET", "/api/DEFAULT/pos?perPage=1", "", "").ID(t)
	return admin.Form("/api/DEFAULT/seller/register", "seller[firstName]=S&seller[lastName]=S&"+
		"seller[email]=gone@example.com&seller[plainPassword]=Correct-Horse-7&seller[active]=1&seller[posId]="+pos).ID(t)
}

func (p principal) as(name string, c *client) principal {
	p.name, p.header, p.credentials = name, "Authorization", "Bearer "+c.Token
	return p
}

func (p principal) with(name, key string) principal {
	p.name, p.header, p.credentials, p.permanent = name, "X-Auth-Token", key, true
	return p
}

// workers is how many requests of a matrix are in flight.
const workers = 8

// matrix calls every endpoint as each principal.
type matrix struct {
	t              *testing.T
	base           string
	client         *http.Client
	asked, granted atomic.Int64
}

func (m *matrix) play(all []principal) {
	type question struct {
		of    *api.Endpoint
		by    *principal
		store string
	}
	questions, running := make(chan question, workers), sync.WaitGroup{}
	for range workers {
		running.Go(func() {
			for q := range questions {
				m.ask(q.of, q.by, q.store)
			}
		})
	}
	for _, e := range app.EndpointTable() {
		stores := []string{""}
		if strings.Contains(e.Path, "{storeCode}") {
			stores = []string{ownStore, foreignStore, noStore}
		}
		for i := range all {
			for _, store := range stores {
				questions <- question{&e, &all[i], store}
			}
		}
	}
	close(questions)
	running.Wait()
}

// fromPages are the paths that refuse what no page of the server has sent.
var fromPages = []string{
	"/api/session", "/api/session/start", "/api/session/finish", "/api/me/identities", "/api/me/identities/start",
	"/api/{storeCode}/session/start", "/api/{storeCode}/session/finish", "/api/{storeCode}/seller/identities",
	"/api/{storeCode}/seller/identities/start",
	"/api/me/factors/challenge", "/api/me/factors/passkeys/challenge", "/api/login/passkey/challenge",
	"/api/{storeCode}/till", "/api/{storeCode}/till/device", "/api/{storeCode}/till/session",
}

func (m *matrix) ask(e *api.Endpoint, p *principal, store string) {
	path := strings.NewReplacer("{storeCode}", store, "{loginStore}", ownStore, "{customer}", orNobody(p.customer),
		"{customerId}", orNobody(p.customer), "{campaign}", orNobody(p.campaign), "{level}", servertest.Nobody, "{active}",
		"active",
		"{provider}", "payprovider", "{eventId}", "1").Replace(e.Path)
	request, err := http.NewRequest(e.Method, m.base+path, nil)
	if err != nil {
		m.t.Error(err)
		return
	}
	if p.header != "" {
		request.Header.Set(p.header, p.credentials)
	}
	response, err := m.client.Do(request)
	if err != nil {
		m.t.Error(err)
		return
	}
	var body []byte
	if response.Header.Get("Content-Type") != "text/event-stream" { // which would not end
		body, err = io.ReadAll(response.Body)
	}
	_ = response.Body.Close() // it was read
	want := p.expects(e, store)
	m.asked.Add(1)
	if want == granted {
		m.granted.Add(1)
	}
	if got := response.StatusCode; err != nil || !want.is(got, e) {
		m.t.Errorf("%s %s as %s in %s: %d, want %s (%v)", e.Method, e.Path, p.name, store, got, want, err)
	}
	if text := refusals[want]; p.byStatus != nil && text != "" && string(body) != text {
		m.t.Errorf("%s %s as %s in %s: %s, want %s", e.Method, e.Path, p.name, store, body, text)
	}
	if problem := unprotected(response); problem != "" {
		m.t.Errorf("%s %s as %s: %s", e.Method, e.Path, p.name, problem)
	}
}

func orNobody(id string) string {
	if id == "" {
		return servertest.Nobody
	}
	return id
}

// expected is the status of a refusal, or granted if the call is allowed.
type expected int

const granted expected = 0

// refusals are the bodies of responses that refuse customers because of their status.
var refusals = map[expected]string{
	http.StatusBadRequest:   `{"error":"Not allowed"}`,
	http.StatusUnauthorized: `{"code":401,"message":"Invalid JWT Token"}`,
	http.StatusForbidden:    `{"error":{"code":403,"message":"Forbidden"}}`,
}

func (want expected) String() string {
	if want == granted {
		return "neither 401 nor 403"
	}
	return fmt.Sprint(int(want))
}

// is reports whether a status is the expected one. A log-in without a password and a refresh without a token are 401.
// Sessions of web apps and passkeys are for pages alone.
func (want expected) is(status int, e *api.Endpoint) bool {
	logsIn := strings.HasSuffix(e.Path, "/login_check") || strings.HasSuffix(e.Path, "/token/refresh")
	switch {
	case want != granted:
		return status == int(want)
	case logsIn && status == http.StatusUnauthorized, slices.Contains(fromPages, e.Path) && status == http.StatusForbidden,
		e.Path == "/oauth/token" && status == http.StatusUnauthorized:
		return true
	}
	return status != http.StatusUnauthorized && status != http.StatusForbidden && status < http.StatusInternalServerError
}

// expects returns what the row of the table says, without the code that enforces it.
func (p *principal) expects(e *api.Endpoint, store string) expected {
	rule := e.Access
	if p.inStores != nil {
		inside := *p
		inside.permissions, inside.inStores = p.inStores[store], nil
		want := inside.expects(e, store)
		_, works := p.inStores[store]
		if want == granted && !rule.Anyone && store != "" && !works {
			return http.StatusForbidden
		}
		return want
	}
	has := p.permissions[rule.Resource]
	switch {
	case rule.Anyone:
		return granted
	case p.refused != 0:
		return expected(p.refused)
	case !slices.Contains(rule.Roles, p.role):
		return http.StatusForbidden
	case p.role == access.Administrator && rule.Resource != "" && !p.master &&
		!slices.Contains(has, rule.Access) && !slices.Contains(has, access.Modify):
		return http.StatusForbidden
	case store == noStore:
		return http.StatusNotFound
	case store != "" && p.role != access.Administrator && store != p.store:
		return http.StatusForbidden
	case strings.Contains(e.Path, "{customer}") && p.role == access.Customer && !p.self:
		return http.StatusForbidden
	case e.Path == "/api/{storeCode}/seller/{seller}" && p.role == access.Seller: // open to all for themselves only
		return http.StatusForbidden
	case strings.HasSuffix(e.Path, "/coupon/{coupon}/cancel") && p.role == access.Seller && store == ownStore:
		// The seller of the demonstration lacks the right to cancel purchases, that of the other store has it.
		return http.StatusForbidden
	case p.permanent && strings.HasSuffix(e.Path, "/password/change"): // there is none to change
		return http.StatusForbidden
	case e.Path == "/api/admin/data/{admin}" && !p.master: // open to all for themselves only
		has := p.permissions[access.Admin]
		if !slices.Contains(has, access.Modify) && (e.Method != "GET" || !slices.Contains(has, access.View)) {
			return http.StatusForbidden
		}
	}
	documented := p.byStatus[e.Method+" "+e.Path]
	if status, err := strconv.Atoi(documented[:min(3, len(documented))]); err == nil {
		return expected(status)
	}
	return granted
}

// Files to download have a name that the server made.
var (
	isFile   = regexp.MustCompile(`^(text/csv|application/xml|application/vnd)`)
	attached = regexp.MustCompile(`^attachment; filename="[a-zA-Z0-9_.-]+"$`)
)

// unprotected returns which header that protects browsers a response lacks.
func unprotected(r *http.Response) string {
	policy, cache := r.Header.Get("Content-Security-Policy"), r.Header.Get("Cache-Control")
	path := r.Request.URL.Path
	shown := strings.HasPrefix(path, "/docs") || strings.HasSuffix(path, "/openapi.json") ||
		slices.Contains([]string{"css", "manifest"}, path[strings.LastIndex(path, "/")+1:])
	switch {
	case r.Header.Get("X-Content-Type-Options") != "nosniff":
		return "its type may be guessed"
	case !strings.HasPrefix(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") ||
		!strings.Contains(policy, "base-uri 'none'"):
		return "its Content-Security-Policy is " + policy
	case r.Header.Get("Referrer-Policy") != "no-referrer":
		return "its address is sent to other sites"
	case isFile.MatchString(r.Header.Get("Content-Type")) &&
		!attached.MatchString(r.Header.Get("Content-Disposition")):
		return "its Content-Disposition is " + r.Header.Get("Content-Disposition")
	case cache != "no-store" && !shown:
		return "its Cache-Control is " + cache
	}
	return ""
}
