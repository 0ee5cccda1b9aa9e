package sso_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/sso"
	"punchcard/loyalty/identity/sso/ssotest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/outbound"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

// patience is the timeout of the calls to a provider that does not answer.
const patience = 300 * time.Millisecond

// office is a site whose administrators sign in at a provider.
type office struct {
	*authtest.Site
	provider   *ssotest.Provider
	super      string // access token
	providerID string
}

func each(t *testing.T, run func(t *testing.T, o *office)) {
	authtest.Each(t, func(a *auth.Auth) []api.Endpoint {
		return sso.New(sso.Config{
			Auth: a, Base: func() string { return "https://shop.example" }, Timeout: patience,
			Client: outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Agent: "test", Clock: time.Now}),
		}).Endpoints()
	}, func(t *testing.T, s *authtest.Site) {
		o := &office{Site: s, provider: ssotest.Start(t, s.Clock.Now), super: s.Administrator("super")}
		o.providerID = o.save("POST", "", 200, o.fields()...).Member("providerId")
		o.provider.SignIn("anna", jwt.MapClaims{
			"groups": []string{"guests", "reporters"}, "email": "anna@example.org", "given_name": "Anna", "sid": "at-home",
		})
		run(t, o)
	})
}

// fields are those of the provider: reporters become reporters, and managers get all rights but security.
func (o *office) fields(more ...string) []string {
	return append([]string{
		"identityProvider[name]", "Office", "identityProvider[issuer]", o.provider.URL,
		"identityProvider[clientId]", ssotest.ClientID, "identityProvider[clientSecret]", ssotest.Secret,
		"identityProvider[enabled]", "1", "identityProvider[grants][0][group]", "managers",
		"identityProvider[grants][0][roleId]", fmt.Sprint(admin.FullAdmin),
		"identityProvider[grants][1][group]", "reporters",
		"identityProvider[grants][1][roleId]", fmt.Sprint(admin.ReporterAdmin),
	}, more...)
}

func (o *office) save(method, id string, want int, fields ...string) authtest.Answer {
	o.T.Helper()
	got := o.Send(o.super, method, "/api/admin/identity-provider"+id, fields...)
	if got.Status != want {
		o.T.Fatalf("%s of a provider: %d %s", method, got.Status, got.Body)
	}
	return got
}

// browser keeps cookies, as browsers do.
type browser struct {
	t       *testing.T
	cookies map[string]string
}

func newBrowser(t *testing.T) *browser { return &browser{t, map[string]string{}} }

// post sends what a page sends to its server.
func (b *browser) post(n *authtest.Node, token, path string, body any) authtest.Answer {
	b.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	request, err := http.NewRequest("POST", n.URL+path, strings.NewReader(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", n.URL)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for name, value := range b.cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, cookie := range response.Cookies() {
		if b.cookies[cookie.Name] = cookie.Value; cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
		if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteStrictMode {
			b.t.Errorf("the cookie %s is open to others: %v", cookie.Name, cookie)
		}
	}
	return authtest.Answer{Status: response.StatusCode, Body: string(answer)}
}

// begin begins a sign-in and goes to the provider, and returns with what the browser comes back.
func (b *browser) begin(o *office, n *authtest.Node) url.Values {
	b.t.Helper()
	got := b.post(n, "", "/api/session/start", map[string]string{"provider": o.providerID})
	if got.Status != 200 {
		b.t.Fatalf("the start: %d %s", got.Status, got.Body)
	}
	return o.provider.Visit(b.t, got.Member("url"))
}

func (b *browser) finish(n *authtest.Node, back url.Values) authtest.Answer {
	b.t.Helper()
	return b.post(n, "", "/api/session/finish", bodyOf(back))
}

// signIn signs in with a browser of its own.
func (o *office) signIn() authtest.Answer {
	o.T.Helper()
	b := newBrowser(o.T)
	return b.finish(o.Node, b.begin(o, o.Node))
}

func expect(t *testing.T, what string, got authtest.Answer, status int, part string) {
	t.Helper()
	if got.Status != status || !strings.Contains(got.Body, part) {
		t.Errorf("%s: %d %s, want %d with %q", what, got.Status, got.Body, status, part)
	}
}

func (o *office) me(token string) string {
	o.T.Helper()
	got := o.Send(token, "GET", "/api/me")
	if got.Status != 200 {
		o.T.Errorf("who am I: %d %s", got.Status, got.Body)
	}
	return got.Body
}

// A sign-in begins on one node and ends on another. The first one adds an account with the role of the groups, later
// ones find it by the subject, and the session is renewed by its cookie.
func TestSignIn(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		other := o.Start(t)
		b := newBrowser(t)
		got := b.finish(other, b.begin(o, o.Node))
		expect(t, "the first sign-in", got, 200, "token")
		who := o.me(got.Member("token"))
		for _, part := range []string{`"email":"anna@example.org"`, `"firstName":"Anna"`, `"master":false`,
			`"CUSTOMER":["VIEW"]`} {
			if !strings.Contains(who, part) {
				t.Errorf("%s has no %s", who, part)
			}
		}
		if _, left := b.cookies["__Host-pc-sso"]; left {
			t.Error("the cookie of the attempt is left")
		}
		expect(t, "a renewal", b.post(o.Node, "", "/api/session", map[string]string{"app": "cockpit"}), 200, "token")
		again := o.signIn()
		id := (authtest.Answer{Body: o.me(again.Member("token"))}).Member("id")
		if !strings.Contains(who, id) {
			t.Errorf("the second sign-in is of %s, the first was %s", id, who)
		}
		// Another subject with the e-mail address of an account gets neither that account nor one of their own.
		o.provider.SignIn("eve", jwt.MapClaims{"groups": []string{"reporters"}, "email": "super@example.com"})
		expect(t, "with the address of another", o.signIn(), 400, "account with your e-mail address")
		o.provider.SignIn("eve", jwt.MapClaims{
			"groups": "reporters", "email": "super@example.com", "email_verified": false,
		})
		expect(t, "with an address that is not verified", o.signIn(), 200, "token")
	})
}

// Each sign-in reads the groups again. Without a group that gives a role it is refused.
func TestGroupsDecide(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		as := func(groups ...string) authtest.Answer {
			o.provider.SignIn("anna", jwt.MapClaims{"groups": groups})
			return o.signIn()
		}
		expect(t, "without a group", as(), 400, "None of your groups")
		expect(t, "with an unknown group", as("Reporters"), 400, "None of your groups")
		first := as("reporters")
		expect(t, "as a reporter", first, 200, "token")
		expect(t, "as both", as("reporters", "managers"), 200, "token")
		if who := o.me(first.Member("token")); !strings.Contains(who, `"CUSTOMER":["VIEW","MODIFY"]`) {
			t.Errorf("the role of the first match is not in force: %s", who)
		}
		expect(t, "having left", as("guests"), 400, "None of your groups")
		expect(t, "the session from before", o.Send(first.Member("token"), "GET", "/api/me"), 401, "")
		first = as("managers")
		expect(t, "as a reporter again", as("reporters"), 200, "token")
		if who := o.me(first.Member("token")); strings.Contains(who, "MODIFY") {
			t.Errorf("the former role is in force: %s", who)
		}
		o.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE administrators SET active = FALSE WHERE username = admin_id`)
			return err
		})
		expect(t, "with a deactivated account", as("reporters"), 400, "not active")
		preview := o.Send(o.super, "POST", "/api/admin/identity-provider/preview", "provider", o.providerID,
			"groups[]", "guests", "groups[]", "reporters")
		expect(t, "the preview", preview, 200, `{"roleId":2,"role":"Reporter admin","group":"reporters"}`)
		preview = o.Send(o.super, "POST", "/api/admin/identity-provider/preview", "provider", o.providerID,
			"groups[]", "guests")
		expect(t, "the preview of nothing", preview, 200, `{}`)
	})
}

// What a provider must not send, and what others may send in its name, signs nobody in.
func TestForgedTokens(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		set := func(name string, value any) func(*jwt.Token, jwt.MapClaims) {
			return func(_ *jwt.Token, claims jwt.MapClaims) { claims[name] = value }
		}
		for name, change := range map[string]func(*jwt.Token, jwt.MapClaims){
			"issuer":        set("iss", "https://other.example"),
			"audience":      set("aud", "another-client"),
			"party":         set("azp", "another-client"),
			"nonce":         set("nonce", "of another attempt"),
			"without nonce": func(_ *jwt.Token, claims jwt.MapClaims) { delete(claims, "nonce") },
			"expired":       set("exp", o.Clock.Now().Add(-time.Second).Unix()),
			"no subject":    set("sub", ""),
			"unsigned": func(token *jwt.Token, _ jwt.MapClaims) {
				token.Method = jwt.SigningMethodNone
				token.Header["alg"] = "none"
			},
			"of another key": func(token *jwt.Token, _ jwt.MapClaims) { token.Header["kid"] = "unknown" },
		} {
			o.provider.Tamper(change)
			expect(t, name, o.signIn(), 400, "answer of the identity provider is not valid")
		}
		o.provider.Tamper(nil)
		expect(t, "untouched", o.signIn(), 200, "token")
		o.provider.Rotate()
		expect(t, "with a new key", o.signIn(), 200, "token")
	})
}

// An attempt belongs to a browser, ends once, and lasts ten minutes. A code is good for one attempt.
func TestAttempts(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, o *office) {
		const refused = "expired, was already used, or began in another browser"
		b, victim := newBrowser(t), newBrowser(t)
		back := b.begin(o, o.Node)
		expect(t, "in a browser without a cookie", victim.finish(o.Node, back), 400, refused)
		victim.begin(o, o.Node)
		expect(t, "in a browser with an attempt of its own", victim.finish(o.Node, back), 400, refused)
		used := b.cookies["__Host-pc-sso"]
		expect(t, "in its browser", b.finish(o.Node, back), 200, "token")
		b.cookies["__Host-pc-sso"] = used
		expect(t, "again", b.finish(o.Node, back), 400, refused)
		next := b.begin(o, o.Node)
		next.Set("code", back.Get("code"))
		expect(t, "with a used code", b.finish(o.Node, next), 400, "answer of the identity provider is not valid")

		one, many := newBrowser(t), [8]authtest.Answer{}
		back = one.begin(o, o.Node)
		var all sync.WaitGroup
		for i := range many {
			same := &browser{t, map[string]string{"__Host-pc-sso": one.cookies["__Host-pc-sso"]}}
			all.Go(func() { many[i] = same.finish(o.Node, back) })
		}
		all.Wait()
		good := 0
		for _, got := range many {
			if got.Status == 200 {
				good++
			}
		}
		if good != 1 {
			t.Errorf("%d of %d ends at once succeeded: %v", good, len(many), many)
		}
		back = b.begin(o, o.Node)
		o.Clock.Advance(sso.AttemptLife)
		expect(t, "too late", b.finish(o.Node, back), 400, refused)
		o.save("PUT", "/"+o.providerID, 200, o.fields("identityProvider[enabled]", "0")...)
		expect(t, "at a provider that is switched off",
			b.post(o.Node, "", "/api/session/start", map[string]string{"provider": o.providerID}), 404, "")
		request, _ := http.NewRequest("POST", o.URL+"/api/session/start", strings.NewReader(`{}`))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Origin", "https://evil.example")
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != 403 {
			t.Errorf("from another origin: %v %v", response, err)
		}
	})
}
