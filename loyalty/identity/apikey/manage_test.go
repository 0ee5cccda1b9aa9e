package apikey_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

const tokenPath = "/oauth/token"

func grant(more ...string) url.Values {
	form := url.Values{"grant_type": {"client_credentials"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func basic(id, secret string) string {
	pair := url.QueryEscape(id) + ":" + url.QueryEscape(secret)
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

// tokenOf exchanges a key for an access token.
func tokenOf(t *testing.T, n *authtest.Node, k made) string {
	t.Helper()
	got := ask(n, "POST", tokenPath, grant(), "Authorization", basic(k.KeyID, k.Secret))
	var token struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
		Scope       string
	}
	err := json.Unmarshal([]byte(got.body), &token)
	if err != nil || got.status != 200 || token.TokenType != "Bearer" || token.ExpiresIn != 900 ||
		token.Scope != "POS:VIEW" || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	return token.AccessToken
}

func TestClientCredentials(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		k := create(t, s.Node, full, viewer()...)
		token := tokenOf(t, s.Node, k)
		for _, n := range []*authtest.Node{s.Node, other} {
			expect(t, n, token, "GET", posPath, 200)
			expect(t, n, token, "POST", posPath, 403)
		}
		inBody := grant("client_id", k.KeyID, "client_secret", k.Secret)
		if got := ask(other, "POST", tokenPath, inBody); got.status != 200 {
			t.Errorf("client_secret_post: %d %s", got.status, got.body)
		}
		stranger := create(t, s.Node, full, viewer()...)
		away := create(t, s.Node, full, viewer("key[addresses][]", "203.0.113.7")...)
		for _, c := range []struct {
			form          url.Values
			authorization string
			status        int
			code          string
		}{
			{grant(), "", 401, "invalid_client"},
			{grant("client_id", k.KeyID), "", 401, "invalid_client"},
			{grant("client_id", k.KeyID, "client_secret", k.Secret+"A"), "", 401, "invalid_client"},
			{grant(), basic(k.KeyID, stranger.Secret), 401, "invalid_client"},
			{grant(), basic(stranger.KeyID, k.Secret), 401, "invalid_client"},
			{grant(), "Basic %%%", 401, "invalid_client"},
			{grant(), "Digest x", 401, "invalid_client"},
			{grant("client_id", stranger.KeyID), basic(k.KeyID, k.Secret), 401, "invalid_client"},
			{inBody, basic(k.KeyID, k.Secret), 400, "invalid_request"},
			{url.Values{}, basic(k.KeyID, k.Secret), 400, "invalid_request"},
			{url.Values{"grant_type": {"password"}}, basic(k.KeyID, k.Secret), 400, "unsupported_grant_type"},
			{grant(), basic(away.KeyID, away.Secret), 400, "unauthorized_client"},
		} {
			got := ask(s.Node, "POST", tokenPath, c.form, "Authorization", c.authorization)
			var failed struct{ Error string }
			_ = json.Unmarshal([]byte(got.body), &failed)
			if got.status != c.status || failed.Error != c.code {
				t.Errorf("%v %s: %d %s, want %d %s", c.form, c.authorization, got.status, got.body, c.status, c.code)
			}
			if challenge := got.header.Get("WWW-Authenticate"); (challenge != "") != (c.status == 401) {
				t.Errorf("%d with the challenge %q", got.status, challenge)
			}
		}
		json := ask(s.Node, "POST", tokenPath, inBody, "Content-Type", "application/json")
		if json.status != 400 || !strings.Contains(json.body, "invalid_request") {
			t.Errorf("JSON: %d %s", json.status, json.body)
		}
		s.Clock.Advance(15 * time.Minute)
		expect(t, s.Node, token, "GET", posPath, 401)
	})
}

func TestWhoManagesKeys(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		const integration = "key-of-an-integration"
		s.Write(func(tx *db.Tx) error {
			master := &access.Caller{Role: access.Administrator, Master: true}
			office := admin.Role{Name: "Office", Permissions: map[string][]string{
				"API_KEY": {"MODIFY"}, "POS": {"VIEW"},
			}}
			if err := admin.AddRole(tx, master, office); err != nil {
				return err
			}
			hash, err := authtest.Hash()
			if err != nil {
				return err
			}
			if _, err := admin.Create(tx, admin.New{
				Username: "office", PasswordHash: hash, Active: true, RoleID: 4,
			}); err != nil {
				return err
			}
			_, err = admin.Create(tx, admin.New{Username: "till", APIKey: integration, Active: true, RoleID: 3})
			return err
		})
		office, full, super := s.Administrator("office"), s.Administrator("full"), s.Administrator("super")
		own, foreign := create(t, s.Node, office, viewer()...), create(t, s.Node, super, viewer()...)
		got := s.Send(office, "POST", keysPath,
			viewer("key[permissions][1][resource]", "POS", "key[permissions][1][access]", "MODIFY")...)
		if got.Status != 400 || !strings.Contains(got.Body, "You can only give permissions that you have.") {
			t.Errorf("more than the maker has: %d %s", got.Status, got.Body)
		}
		master := create(t, s.Node, super, "key[name]", "All", "key[permissions][0][resource]", "LEVEL",
			"key[permissions][0][access]", "MODIFY")
		total := func(token string, want int) {
			t.Helper()
			got := s.Send(token, "GET", keysPath)
			if !strings.Contains(got.Body, fmt.Sprintf(`"total":%d}`, want)) {
				t.Errorf("%d %s, want %d keys", got.Status, got.Body, want)
			}
		}
		total(office, 1) // their own
		total(full, 3)
		expect(t, s.Node, office, "GET", foreign.path(), 404)
		expect(t, s.Node, office, "POST", foreign.path()+"/rotate", 404)
		expect(t, s.Node, office, "DELETE", foreign.path(), 404)
		expect(t, s.Node, office, "POST", own.path()+"/rotate", 200)
		expect(t, s.Node, full, "POST", own.path()+"/rotate", 200)
		if got := s.Send(super, "PUT", "/api/admin/acl/role/3", "role[name]", "Full admin",
			"role[permissions][0][resource]", "ADMIN", "role[permissions][0][access]", "MODIFY",
			"role[permissions][1][resource]", "API_KEY", "role[permissions][1][access]", "MODIFY"); got.Status != 204 {
			t.Fatal(got)
		}
		expect(t, s.Node, full, "POST", master.path()+"/rotate", 403) // its rights would be gained
		expect(t, s.Node, full, "DELETE", master.path(), 204)
		for _, path := range []string{"POST " + keysPath, "PUT " + own.path(), "POST " + own.path() + "/rotate"} {
			method, path, _ := strings.Cut(path, " ")
			form := url.Values{"key[name]": {"x"}, "key[permissions][0][resource]": {"POS"},
				"key[permissions][0][access]": {"VIEW"}}
			got := ask(s.Node, method, path, form, "X-AUTH-TOKEN", integration)
			if got.status != 403 {
				t.Errorf("%s %s by an integration: %d %s", method, path, got.status, got.body)
			}
		}
	})
}

func TestChange(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		full := s.Administrator("full")
		k := create(t, s.Node, full, viewer("key[requestsPerMinute]", "1")...)
		expect(t, s.Node, k.Secret, "GET", posPath, 200)
		expect(t, s.Node, k.Secret, "GET", posPath, 429)
		got := s.Send(full, "PUT", k.path(), "key[name]", "Renamed", "key[permissions][0][resource]", "LEVEL",
			"key[permissions][0][access]", "VIEW")
		if got.Status != 200 {
			t.Fatal(got)
		}
		expect(t, s.Node, k.Secret, "GET", posPath, 403)
		if got := s.Send(k.Secret, "GET", "/api/me"); !strings.Contains(got.Body, `"username":"Renamed (full@example.com)"`) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	})
}

// The last use is stored once a minute, whatever node was called.
func TestLastUse(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		k := create(t, s.Node, full, viewer()...)
		use := func(n *authtest.Node, from string) {
			t.Helper()
			got := ask(n, "GET", posPath, nil, "Authorization", "Bearer "+k.Secret, "X-Forwarded-For", from)
			if got.status != 200 {
				t.Fatal(got)
			}
			if err := n.Auth.Uses().Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		check := func(at time.Time, from string) {
			t.Helper()
			var v struct{ LastUsedAt, LastUsedFrom string }
			got := s.Send(full, "GET", k.path())
			_ = json.Unmarshal([]byte(got.Body), &v)
			want := at.UTC().Format("2006-01-02T15:04:05+0000")
			if v.LastUsedAt != want || v.LastUsedFrom != from {
				t.Errorf("%s, want %s from %s", got.Body, want, from)
			}
		}
		first := s.Clock.Now()
		use(s.Node, "203.0.113.1")
		check(first, "203.0.113.1")
		s.Clock.Advance(59 * time.Second)
		use(s.Node, "203.0.113.2")
		use(other, "203.0.113.3")
		check(first, "203.0.113.1")
		s.Clock.Advance(time.Second)
		use(s.Node, "203.0.113.4")
		check(first.Add(time.Minute), "203.0.113.4")
	})
}

func TestKeysOfAnAdministratorAreLimited(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other, full := s.Start(t), s.Administrator("full")
		for range 97 {
			create(t, s.Node, full, viewer()...)
		}
		var done atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			n := []*authtest.Node{s.Node, other}[i%2]
			all.Go(func() {
				if n.Send(full, "POST", keysPath, viewer()...).Status == 200 {
					done.Add(1)
				}
			})
		}
		all.Wait()
		if done.Load() != 3 {
			t.Errorf("%d keys more than 97 were made, want 3", done.Load())
		}
	})
}

func TestKeysChangeNoLogIns(t *testing.T) {
	sellers := func(a *auth.Auth) []api.Endpoint {
		return append(endpoints(a), seller.Endpoints()...)
	}
	authtest.Each(t, sellers, func(t *testing.T, s *authtest.Site) {
		full := s.Administrator("full")
		k := create(t, s.Node, full, "key[name]", "Staff", "key[permissions][0][resource]", "SELLER",
			"key[permissions][0][access]", "MODIFY", "key[permissions][1][resource]", "POS",
			"key[permissions][1][access]", "MODIFY")
		till := s.Send(k.Secret, "POST", posPath, "pos[name]", "Till").Member("posId")
		fields := func(email string, more ...string) []string {
			return append([]string{"seller[firstName]", "Ida", "seller[lastName]", "Holm", "seller[posId]", till,
				"seller[active]", "1", "seller[email]", email}, more...)
		}
		password := fields("ida@example.com", "seller[plainPassword]", authtest.Password)
		if got := s.Send(k.Secret, "POST", "/api/DEFAULT/seller/register", password...); got.Status != 403 {
			t.Errorf("a new seller: %d %s", got.Status, got.Body)
		}
		made := s.Send(full, "POST", "/api/DEFAULT/seller/register", password...)
		if made.Status != 200 {
			t.Fatal(made)
		}
		path := "/api/DEFAULT/seller/" + made.Member("sellerId")
		if got := s.Send(k.Secret, "PUT", path, password...); got.Status != 403 {
			t.Errorf("a new password: %d %s", got.Status, got.Body)
		}
		if got := s.Send(k.Secret, "PUT", path, fields("thief@example.com")...); got.Status != 403 {
			t.Errorf("a new e-mail address: %d %s", got.Status, got.Body)
		}
		if got := s.Send(k.Secret, "PUT", path, fields("ida@example.com")...); got.Status != 200 {
			t.Errorf("without either: %d %s", got.Status, got.Body)
		}
	})
}

// TestKeysNeedTheFactorOfTheirMaker requires a second factor of a role whose administrator has made a key.
func TestKeysNeedTheFactorOfTheirMaker(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		k := create(t, s.Node, s.Administrator("full"), "key[name]", "Sync", "key[permissions][0][resource]", "POS",
			"key[permissions][0][access]", "VIEW")
		require := func(days int64) {
			s.Write(func(tx *db.Tx) error { return factor.SetRule(tx, 0, admin.FullAdmin, days) })
			s.Clock.Advance(2 * time.Second) // longer than keyRecheck
		}
		require(1)
		if got := s.Send(k.Secret, "GET", posPath); got.Status != 200 {
			t.Errorf("in the grace period: %d %s", got.Status, got.Body)
		}
		require(0)
		if got := s.Send(k.Secret, "GET", posPath); got.Status != 403 || !strings.Contains(got.Body, "second factor") {
			t.Errorf("without the factor: %d %s", got.Status, got.Body)
		}
		s.Write(func(tx *db.Tx) error { return factor.RemoveRule(tx, 0, admin.FullAdmin) })
		s.Clock.Advance(2 * time.Second)
		if got := s.Send(k.Secret, "GET", posPath); got.Status != 200 {
			t.Errorf("when it is not required: %d %s", got.Status, got.Body)
		}
	})
}
