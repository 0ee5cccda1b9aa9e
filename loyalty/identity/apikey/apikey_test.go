package apikey_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/apikey"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

const (
	keysPath = "/api/admin/key"
	posPath  = "/api/DEFAULT/pos"
)

func endpoints(a *auth.Auth) []api.Endpoint {
	all := append(pos.Endpoints(), apikey.Endpoints(a.Uses())...)
	return append(all, admin.Endpoints()...)
}

// reply is a response with its headers.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a form with headers in pairs.
func ask(n *authtest.Node, method, path string, form url.Values, headers ...string) reply {
	n.T.Helper()
	request, err := http.NewRequest(method, n.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		n.T.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		n.T.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // read to the end
	body, err := io.ReadAll(response.Body)
	if err != nil {
		n.T.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// expect calls with a key, and checks the status.
func expect(t *testing.T, n *authtest.Node, secret, method, path string, want int) {
	t.Helper()
	if got := n.Send(secret, method, path); got.Status != want {
		t.Errorf("%s %s: %d %s, want %d", method, path, got.Status, got.Body, want)
	}
}

// made is a new key.
type made struct{ KeyID, Secret string }

func (m made) path() string { return keysPath + "/" + m.KeyID }

// viewer are the fields of a key that may view points of sale, with more fields in pairs.
func viewer(more ...string) []string {
	return append([]string{
		"key[name]", "Shop sync", "key[permissions][0][resource]", "POS", "key[permissions][0][access]", "VIEW",
	}, more...)
}

func create(t *testing.T, n *authtest.Node, token string, fields ...string) (k made) {
	t.Helper()
	got := n.Send(token, "POST", keysPath, fields...)
	if err := json.Unmarshal([]byte(got.Body), &k); err != nil || got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	return k
}

func TestSecretsAreRecognized(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		k := create(t, s.Node, s.Administrator("full"), viewer()...)
		if !regexp.MustCompile(`^pck_live_[A-Z2-7]{33}$`).MatchString(k.Secret) || !apikey.IsSecret(k.Secret) {
			t.Errorf("got the secret %s", k.Secret)
		}
		for i := range k.Secret { // a wrong letter is noticed without a look at the database
			wrong := k.Secret[:i] + string(k.Secret[i]^1) + k.Secret[i+1:]
			if apikey.IsSecret(wrong) {
				t.Errorf("%s is taken for a secret", wrong)
			}
		}
		expect(t, s.Node, k.Secret, "GET", posPath, 200)
		if got := ask(s.Node, "GET", posPath, nil, "X-AUTH-TOKEN", k.Secret); got.status != 200 {
			t.Errorf("in the header of permanent tokens: %d %s", got.status, got.body)
		}
		expect(t, s.Node, "", "GET", posPath+"?auth_token="+k.Secret, 403) // where logs would have it
		if got := s.Send(s.Administrator("full"), "GET", k.path()); strings.Contains(got.Body, k.Secret[20:]) {
			t.Errorf("the secret is shown again: %s", got.Body)
		}
	})
}

func TestAKeyHasItsScopeAlone(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		full := s.Administrator("full")
		viewing := create(t, s.Node, full, viewer()...)
		all := viewer("key[permissions][1][resource]", "ADMIN", "key[permissions][1][access]", "VIEW",
			"key[permissions][2][resource]", "ACL", "key[permissions][2][access]", "VIEW",
			"key[permissions][3][resource]", "POS", "key[permissions][3][access]", "MODIFY")
		changing := create(t, s.Node, full, all...)
		expect(t, s.Node, viewing.Secret, "GET", posPath, 200)
		expect(t, s.Node, viewing.Secret, "POST", posPath, 403)
		expect(t, s.Node, viewing.Secret, "GET", "/api/admin", 403)
		expect(t, s.Node, viewing.Secret, "GET", "/api/me", 200)
		expect(t, s.Node, changing.Secret, "POST", posPath, 400) // admitted, but nothing was sent
		expect(t, s.Node, changing.Secret, "GET", "/api/admin", 200)
		for _, path := range []string{ // what no key may do, whatever its scope
			"POST " + keysPath, "GET " + keysPath, "DELETE " + changing.path(), "POST " + changing.path() + "/rotate",
			"POST /api/admin/data", "PUT /api/admin/data", "GET /api/admin/data", "POST /api/admin/acl/role",
			"POST /api/admin/password/change", "GET /api/me/sessions", "GET /api/token/revoke",
		} {
			method, path, _ := strings.Cut(path, " ")
			expect(t, s.Node, changing.Secret, method, path, 403)
		}
		for _, refused := range [][2]string{
			{"ADMIN", "MODIFY"}, {"ACL", "MODIFY"}, {"API_KEY", "VIEW"}, {"SECURITY", "VIEW"}, {"POS", "OWN"},
		} {
			got := s.Send(s.Administrator("super"), "POST", keysPath, "key[name]", "Too much",
				"key[permissions][0][resource]", refused[0], "key[permissions][0][access]", refused[1])
			if got.Status != 400 || !strings.Contains(got.Body, "This value is not valid.") {
				t.Errorf("%v: %d %s", refused, got.Status, got.Body)
			}
		}
	})
}

func TestAKeyOpensItsStoresAlone(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		s.Write(func(tx *db.Tx) error {
			_, err := store.Create(tx, store.New{
				Code: "OTHER", Name: "Other", Currency: "EUR", Settings: store.DefaultSettings(),
			})
			return err
		})
		s.Clock.Advance(time.Second)
		super := s.Administrator("super")
		k := create(t, s.Node, super, viewer("key[stores][]", "OTHER", "key[permissions][1][resource]", "ADMIN",
			"key[permissions][1][access]", "VIEW")...)
		expect(t, s.Node, k.Secret, "GET", "/api/OTHER/pos", 200)
		expect(t, s.Node, k.Secret, "GET", posPath, 403)
		expect(t, s.Node, k.Secret, "GET", "/api/admin", 403) // belongs to all stores
		if got := s.Send(k.Secret, "GET", "/api/me"); !strings.Contains(got.Body, `"storeCodes":["OTHER"]`) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		if got := s.Send(super, "POST", keysPath, viewer("key[stores][]", "NOWHERE")...); got.Status != 400 {
			t.Errorf("an unknown store: %d %s", got.Status, got.Body)
		}
	})
}

func TestRevocationCountsOnAllNodes(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		k := create(t, s.Node, full, viewer()...)
		token := tokenOf(t, s.Node, k)
		for _, n := range []*authtest.Node{s.Node, other} {
			expect(t, n, k.Secret, "GET", posPath, 200)
			expect(t, n, token, "GET", posPath, 200)
		}
		expect(t, s.Node, full, "DELETE", k.path(), 204)
		expect(t, s.Node, k.Secret, "GET", posPath, 401)
		expect(t, s.Node, token, "GET", posPath, 401)
		s.Clock.Advance(time.Second)
		expect(t, other, k.Secret, "GET", posPath, 401)
		expect(t, other, token, "GET", posPath, 401)
		expect(t, s.Node, full, "GET", k.path(), 404)
	})
}

// A request with a cached key reads nothing: it does not notice that the row is gone until the next recheck.
func TestCachedKeysAreNotRead(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		k := create(t, s.Node, s.Administrator("full"), viewer()...)
		token := tokenOf(t, s.Node, k)
		for _, sent := range []string{k.Secret, token} {
			expect(t, s.Node, sent, "GET", posPath, 200)
		}
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`DELETE FROM api_keys WHERE key_id = $1`, k.KeyID)
			return err
		})
		for _, want := range []int{200, 401} {
			for _, sent := range []string{k.Secret, token} {
				expect(t, s.Node, sent, "GET", posPath, want)
			}
			s.Clock.Advance(time.Second)
		}
	})
}

// The rights of the maker count at the time of use: on the node of the change at once, on others within a second.
func TestRightsAreThoseOfTheMaker(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, super := s.Start(t), s.Administrator("super")
		nodes := []*authtest.Node{s.Node, other}
		k := create(t, s.Node, s.Administrator("full"),
			viewer("key[permissions][1][resource]", "POS", "key[permissions][1][access]", "MODIFY")...)
		check := func(view, modify int) {
			t.Helper()
			for _, n := range nodes {
				expect(t, n, k.Secret, "GET", posPath, view)
				expect(t, n, k.Secret, "POST", posPath, modify)
				s.Clock.Advance(time.Second)
			}
		}
		check(200, 400)
		role := func(access string) {
			t.Helper()
			got := s.Send(super, "PUT", "/api/admin/acl/role/3", "role[name]", "Full admin",
				"role[permissions][0][resource]", "POS", "role[permissions][0][access]", access)
			if got.Status != 204 {
				t.Fatal(got)
			}
		}
		role("VIEW")
		check(200, 403)
		got := s.Send(super, "GET", k.path())
		if !strings.Contains(got.Body, `{"resource":"POS","access":"MODIFY","inForce":false}`) {
			t.Errorf("the view does not show what is not in force: %s", got.Body)
		}
		role("MODIFY")
		check(200, 400)
		full := idOf(s, "full")
		change := func(active string) {
			t.Helper()
			got := s.Send(super, "PUT", "/api/admin/data/"+full, "admin[email]", "full@example.com", "admin[isActive]", active,
				"admin[roles][]", "3")
			if got.Status != 200 {
				t.Fatal(got)
			}
		}
		change("0")
		check(401, 401)
		change("1")
		check(200, 400)
	})
}

func idOf(s *authtest.Site, name string) (id string) {
	s.Write(func(tx *db.Tx) error {
		a, _, err := admin.FindByLogin(tx, name)
		id = a.ID
		return err
	})
	return id
}

func TestAnExpiredKeyIsRefused(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		until := s.Clock.Now().Add(90 * time.Second).Format(time.RFC3339)
		k := create(t, s.Node, full, viewer("key[expiresAt]", until)...)
		s.Clock.Advance(89 * time.Second)
		for _, n := range []*authtest.Node{s.Node, other} {
			expect(t, n, k.Secret, "GET", posPath, 200)
		}
		s.Clock.Advance(time.Second)
		for _, n := range []*authtest.Node{s.Node, other} {
			expect(t, n, k.Secret, "GET", posPath, 401)
		}
		if got := s.Send(full, "GET", k.path()); !strings.Contains(got.Body, `"state":"expired"`) {
			t.Errorf("%s", got.Body)
		}
		if got := s.Send(full, "POST", keysPath, viewer("key[expiresAt]", until)...); got.Status != 400 {
			t.Errorf("made to expire in the past: %d %s", got.Status, got.Body)
		}
	})
}

func TestAllowedAddresses(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		full := s.Administrator("full")
		k := create(t, s.Node, full,
			viewer("key[addresses][]", "203.0.113.0/24", "key[addresses][]", "2001:db8:7::/48")...)
		for from, want := range map[string]int{
			"203.0.113.77": 200, "203.0.114.1": 403, "2001:db8:7:1::5": 200, "2001:db8:8::5": 403, "": 403,
			"203.0.113.77, 198.51.100.1": 403, // only the last address is not the client's word
		} {
			got := ask(s.Node, "GET", posPath, nil, "Authorization", "Bearer "+k.Secret, "X-Forwarded-For", from)
			if got.status != want {
				t.Errorf("from %q: %d %s, want %d", from, got.status, got.body, want)
			}
		}
		for _, wrong := range []string{"203.0.113.0/33", "::ffff:203.0.113.7", "fe80::1%eth0", "shop.example.com"} {
			got := s.Send(full, "POST", keysPath, viewer("key[addresses][]", wrong)...)
			if got.Status != 400 || !strings.Contains(got.Body, "not an IP address or a network") {
				t.Errorf("%s: %d %s", wrong, got.Status, got.Body)
			}
		}
	})
}

func TestRateLimit(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		k := create(t, s.Node, full, viewer("key[requestsPerMinute]", "3")...)
		free := create(t, s.Node, full, viewer()...)
		call := func(n *authtest.Node, secret string) reply {
			return ask(n, "GET", posPath, nil, "Authorization", "Bearer "+secret)
		}
		for _, n := range []*authtest.Node{s.Node, other} { // each counts for itself, like all limits
			for range 3 {
				expect(t, n, k.Secret, "GET", posPath, 200)
				expect(t, n, free.Secret, "GET", posPath, 200)
			}
			got := call(n, k.Secret)
			if got.status != 429 || got.header.Get("Retry-After") != "20" ||
				got.header.Get("RateLimit-Policy") != `"key";q=3;w=60` {
				t.Errorf("%d %v", got.status, got.header)
			}
			expect(t, n, free.Secret, "GET", posPath, 200)
		}
		s.Clock.Advance(20 * time.Second)
		expect(t, s.Node, k.Secret, "GET", posPath, 200)
		expect(t, s.Node, k.Secret, "GET", posPath, 429)
	})
}

func TestRotation(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		first := create(t, s.Node, full, viewer()...)
		rotate := func(hours string) made {
			t.Helper()
			got := s.Send(full, "POST", first.path()+"/rotate", "overlapHours", hours)
			k := made{first.KeyID, got.Member("secret")}
			if got.Status != 200 || !apikey.IsSecret(k.Secret) {
				t.Fatal(got)
			}
			s.Clock.Advance(time.Second)
			return k
		}
		check := func(k made, want int) {
			t.Helper()
			for _, n := range []*authtest.Node{s.Node, other} {
				expect(t, n, k.Secret, "GET", posPath, want)
			}
		}
		token := tokenOf(t, s.Node, first)
		check(first, 200)
		second := rotate("2")
		check(first, 200)
		check(second, 200)
		third := rotate("1") // the first one ends although its overlap has not
		check(first, 401)
		check(made{"", token}, 401)
		check(second, 200)
		check(third, 200)
		s.Clock.Advance(time.Hour - time.Second)
		check(second, 401)
		check(third, 200)
		fourth := rotate("0")
		check(third, 401)
		check(fourth, 200)
		for _, hours := range []string{"-1", "169", "x"} {
			if got := s.Send(full, "POST", first.path()+"/rotate", "overlapHours", hours); got.Status != 400 {
				t.Errorf("%s hours: %d %s", hours, got.Status, got.Body)
			}
		}
	})
}
