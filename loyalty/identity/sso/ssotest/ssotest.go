// Package ssotest is an identity provider for tests. It speaks OpenID Connect over loopback HTTP as the specifications
// demand, and refuses what they refuse.
package ssotest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// The client that the provider knows.
const (
	ClientID = "punchcard"
	Secret   = "secret-of-the-client"
)

const keyBits = 2048

// Provider is a running identity provider. Its fields may be changed between requests.
type Provider struct {
	URL   string // also the issuer
	Clock func() time.Time

	Redirect string // the only address that browsers are sent back to; empty for any
	Names    bool   // browsers bring the issuer back: RFC 9207
	Silent   bool   // ID tokens do not say when the user was asked, unless that was wished

	InUserInfo []string // claims that are not in ID tokens

	mutex  sync.Mutex
	user   jwt.MapClaims
	asked  time.Time // when the user gave a password
	tamper func(token *jwt.Token, claims jwt.MapClaims)
	key    *rsa.PrivateKey
	keyID  string
	codes  map[string]grant
	sent   []string        // codes that clients have sent to be exchanged
	tokens map[string]bool // access tokens
	away   chan struct{}   // while not nil, requests wait until it is closed
}

// grant holds the parameters of the request that a code answers.
type grant struct {
	challenge, nonce, redirect string
	saysWhen                   bool
}

// Start starts a provider, which stops with the test.
func Start(t testing.TB, clock func() time.Time) *Provider {
	t.Helper()
	p := &Provider{Clock: clock, codes: map[string]grant{}, tokens: map[string]bool{}}
	p.Rotate()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.document)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /user", p.userInfo)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mutex.Lock()
		away := p.away
		p.mutex.Unlock()
		if away != nil {
			<-away
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// SignIn makes the claims those of the user who signs in from now on.
func (p *Provider) SignIn(subject string, claims jwt.MapClaims) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.user, p.asked = jwt.MapClaims{"sub": subject}, p.Clock()
	for name, value := range claims {
		p.user[name] = value
	}
}

// Tamper changes all tokens from now on; nil ends it.
func (p *Provider) Tamper(change func(token *jwt.Token, claims jwt.MapClaims)) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.tamper = change
}

// Rotate replaces the key that signs tokens.
func (p *Provider) Rotate() {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		panic(err)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.key, p.keyID = key, rand.Text()
}

// Hang makes all requests wait until the function is called.
func (p *Provider) Hang() (end func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	away := make(chan struct{})
	p.away = away
	return func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.away = nil
		close(away)
	}
}

// Visit opens the page of the provider, where the user signs in at once, and returns what the browser brings back: the
// parameters, and as provider the last segment of the path.
func (p *Provider) Visit(t testing.TB, page string) url.Values {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close() // it has none
	back, err := response.Location()
	if err != nil {
		t.Fatalf("the provider answers %s to %s", response.Status, page)
	}
	values := back.Query()
	values.Set("provider", path.Base(back.Path))
	return values
}

// Sent returns the codes that clients have sent to be exchanged, good or not.
func (p *Provider) Sent() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.Clone(p.sent)
}

// LogoutToken returns a token of Back-Channel Logout. Claims that are nil are left out.
func (p *Provider) LogoutToken(t testing.TB, claims jwt.MapClaims) string {
	t.Helper()
	now := p.Clock()
	all := jwt.MapClaims{
		"iss": p.URL, "aud": ClientID, "iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(), "jti": rand.Text(),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	for name, value := range claims {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	signed, err := p.sign(all)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func (p *Provider) document(w http.ResponseWriter, _ *http.Request) {
	respond(w, map[string]any{
		"authorization_response_iss_parameter_supported": p.Names,
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"userinfo_endpoint": p.URL + "/user", "jwks_uri": p.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"RS256"},
	})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	encode := base64.RawURLEncoding.EncodeToString
	respond(w, map[string]any{"keys": []any{map[string]string{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": p.keyID, "n": encode(p.key.N.Bytes()),
		"e": encode(big.NewInt(int64(p.key.E)).Bytes()),
	}}})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != ClientID || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	if p.Redirect != "" && q.Get("redirect_uri") != p.Redirect {
		http.Error(w, "invalid_redirect_uri", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.mutex.Lock()
	if most, err := strconv.Atoi(q.Get("max_age")); q.Get("prompt") == "login" ||
		err == nil && p.Clock().Sub(p.asked) > time.Duration(most)*time.Second {
		p.asked = p.Clock()
	}
	p.codes[code] = grant{
		q.Get("code_challenge"), q.Get("nonce"), q.Get("redirect_uri"), !p.Silent || q.Has("max_age"),
	}
	p.mutex.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	if p.Names {
		back.Set("iss", p.URL)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	p.mutex.Lock()
	p.sent = append(p.sent, r.PostFormValue("code"))
	given, known := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	now, user, asked, access := p.Clock(), p.user, p.asked, rand.Text()
	p.tokens[access] = true
	p.mutex.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if id != ClientID || secret != Secret || !known || given.redirect != r.PostFormValue("redirect_uri") ||
		given.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	claims := jwt.MapClaims{
		"iss": p.URL, "aud": ClientID, "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(), "nonce": given.nonce,
	}
	if given.saysWhen {
		claims["auth_time"] = asked.Unix()
	}
	for name, value := range user {
		if !slices.Contains(p.InUserInfo, name) {
			claims[name] = value
		}
	}
	signed, err := p.sign(claims)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	respond(w, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": signed})
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	p.mutex.Lock()
	known, claims := p.tokens[token], jwt.MapClaims{"sub": p.user["sub"]}
	for _, name := range p.InUserInfo {
		claims[name] = p.user[name]
	}
	p.mutex.Unlock()
	if !known {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	respond(w, claims)
}

func (p *Provider) sign(claims jwt.MapClaims) (string, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = p.keyID
	if p.tamper != nil {
		p.tamper(token, claims)
	}
	if token.Method == jwt.SigningMethodNone {
		return token.SignedString(jwt.UnsafeAllowNoneSignatureType)
	}
	return token.SignedString(p.key)
}

func respond(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // the client notices
}
