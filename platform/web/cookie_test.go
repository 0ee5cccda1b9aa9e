package web_test

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"punchcard/platform/web"
)

// Cookies are secure by the connection, by a trusted proxy, or if the browser says that the page came by HTTPS.
func TestSecureCookies(t *testing.T) {
	config := configOf(io.Discard, web.Route{Method: "POST", Path: "/", Handle: func(r *web.Request) error {
		r.SetSecretCookie("session", "secret", 0)
		return r.Bytes(http.StatusOK, "text/plain", nil)
	}})
	config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	handler, err := web.NewHandler(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, peer, origin, proto string
		tls, want                 bool
	}{
		{name: "plain", peer: "192.0.2.7:4000"},
		{name: "TLS without an origin", peer: "192.0.2.7:4000", tls: true, want: true},
		{name: "a page by HTTPS behind some proxy", peer: "192.0.2.7:4000", origin: "https://shop.example", want: true},
		{name: "a page of this machine", peer: "192.0.2.7:4000", origin: "http://localhost:8080", want: true},
		{name: "a page by HTTP", peer: "192.0.2.7:4000", origin: "http://shop.example"},
		{name: "a trusted proxy", peer: "10.1.2.3:4000", proto: "https", want: true},
		{name: "trusted proxies", peer: "10.1.2.3:4000", proto: "HTTPS, http", want: true},
		{name: "a trusted proxy by HTTP", peer: "10.1.2.3:4000", proto: "http"},
		{name: "another proxy", peer: "192.0.2.7:4000", proto: "https"},
		{name: "an unknown peer", peer: "@", proto: "https"},
	} {
		request, recorder := httptest.NewRequest("POST", "/", nil), httptest.NewRecorder()
		request.RemoteAddr = c.peer
		if c.tls {
			request.TLS = &tls.ConnectionState{}
		}
		for name, value := range map[string]string{"Origin": c.origin, "X-Forwarded-Proto": c.proto} {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		handler.ServeHTTP(recorder, request)
		cookie := recorder.Header().Get("Set-Cookie")
		if strings.HasPrefix(cookie, "__Host-session=secret") != c.want || strings.Contains(cookie, "Secure") != c.want {
			t.Errorf("%s: %s", c.name, cookie)
		}
	}
}
