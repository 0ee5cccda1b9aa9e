package auth_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"punchcard/loyalty/identity/factor/factortest"
)

const (
	publicOrigin = "https://loyalty.example"
	publicHost   = "loyalty.example"
)

// page is a page of the server at an origin, with the access token of a log-in or without one.
type page struct {
	*node
	origin, host, token string
}

func (n *node) page(token string) page { return page{n, publicOrigin, publicHost, token} }

// call sends JSON as a script of the page does.
func (p page) call(method, path string, body any) answer {
	p.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	request, err := http.NewRequest(method, p.url+path, strings.NewReader(string(text)))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Host = p.host
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", p.origin)
	request.Header.Set("Accept", "application/json, application/problem+json")
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	return p.do(request)
}

// got has the members of responses that tests read.
type got struct {
	Challenge, UserHandle, Secret, Address, Code, Token, Error string
	RecoveryCodes                                              []string
	AllowCredentials, Factors                                  []string
	PasskeyID                                                  string
	LoginToken                                                 string `json:"login_token"`
	RefreshToken                                               string `json:"refresh_token"`
}

// want sends JSON, and reads the response, which must have a status.
func (p page) want(status int, method, path string, body any) (g got) {
	p.t.Helper()
	a := p.call(method, path, body)
	if a.status != status {
		p.t.Fatalf("%s %s: %d %s, want %d", method, path, a.status, a.body, status)
	}
	_ = json.Unmarshal([]byte(strings.Replace(a.body, `"code":401,`, "", 1)), &g) // some have no body
	return g
}

// refuse sends JSON, which must be refused with a code.
func (p page) refuse(status int, code, method, path string, body any) {
	p.t.Helper()
	if g := p.want(status, method, path, body); g.Code != code {
		p.t.Errorf("%s %s: code %q, want %q", method, path, g.Code, code)
	}
}

type object = map[string]any

// addApp sets up an authenticator app for the caller, and returns its secret and the recovery codes.
func (s *site) addApp(p page) (secret string, codes []string) {
	s.t.Helper()
	secret = p.want(200, "POST", "/api/me/factors/totp", object{"currentPassword": plain}).Secret
	done := p.want(200, "POST", "/api/me/factors/totp/confirm",
		object{"code": factortest.Code(secret, s.clock.Now())})
	return secret, done.RecoveryCodes
}

// addPasskey adds a passkey of a new device for the caller, and returns the device.
func (p page) addPasskey() *factortest.Device {
	p.t.Helper()
	d := factortest.New(p.origin, p.host)
	asked := p.want(200, "POST", "/api/me/factors/passkeys/challenge", object{"currentPassword": plain})
	p.want(200, "POST", "/api/me/factors/passkeys",
		object{"name": "Phone", "credential": d.Create(asked.Challenge, asked.UserHandle)})
	return d
}

// begin sends the right password of an account with a factor, and returns the token of the log-in.
func (p page) begin(path, name string) string {
	p.t.Helper()
	return p.want(401, "POST", path, object{"username": name, "password": plain}).LoginToken
}

// enter answers a challenge for a log-in with a passkey alone.
func (p page) enter(d *factortest.Device, app string) answer {
	p.t.Helper()
	challenge := p.want(200, "POST", "/api/login/passkey/challenge", object{}).Challenge
	return p.call("POST", "/api/login/passkey",
		object{"app": app, "store": "DEFAULT", "credential": d.Use(challenge)})
}

const adminLogin = "/api/admin/login_check"

// atBoth returns the page at two nodes of the site.
func (s *site) atBoth(t *testing.T, p page) [2]page {
	t.Helper()
	other := p
	other.node = s.start(t, s.settings)
	return [2]page{p, other}
}

func decode(t *testing.T, body string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), into); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
}
