package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"punchcard/platform/web"
)

func TestClientNetwork(t *testing.T) {
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"192.0.2.7:4000", nil, "192.0.2.7"},
		{"[::ffff:192.0.2.7]:4000", nil, "192.0.2.7"},
		{"[2001:db8:1:2:3:4:5:6]:4000", nil, "2001:db8:1:2::/64"},
		{"[2001:db8:1:2:ffff::1%eth0]:80", nil, "2001:db8:1:2::/64"},
		{"@", []string{"198.51.100.1"}, "@"},
		// Only trusted proxies are believed, and what came before an untrusted one may be made up.
		{"192.0.2.7:4000", []string{"198.51.100.1"}, "192.0.2.7"},
		{"10.1.2.3:4000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"10.1.2.3:4000", []string{"203.0.113.9, 198.51.100.1, 10.9.9.9"}, "198.51.100.1"},
		{"10.1.2.3:4000", []string{"203.0.113.9", "198.51.100.1"}, "198.51.100.1"},
		{"[fd00::1]:4000", []string{"2001:db8:5:6::1"}, "2001:db8:5:6::/64"},
		{"[::ffff:10.1.2.3]:4000", []string{"[2001:db8:5:6::1]:99"}, "2001:db8:5:6::/64"},
		{"10.1.2.3:4000", []string{"198.51.100.1:1234"}, "198.51.100.1"},
		{"10.1.2.3:4000", []string{"10.4.5.6"}, "10.4.5.6"},
		{"10.1.2.3:4000", nil, "10.1.2.3"},
		{"10.1.2.3:4000", []string{"198.51.100.1, unknown"}, "10.1.2.3"},
		{"10.1.2.3:4000", []string{""}, "10.1.2.3"},
	} {
		if got := clientOf(t, c.peer, c.forwarded, (*web.Request).ClientNetwork); got != c.want {
			t.Errorf("%s forwarded for %q: %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}

func TestClientSite(t *testing.T) {
	for peer, want := range map[string]string{
		"192.0.2.7:4000": "192.0.2.7", "[2001:db8:1:2:3:4:5:6]:4000": "2001:db8:1::/48", "@": "@",
	} {
		if got := clientOf(t, peer, nil, (*web.Request).ClientSite); got != want {
			t.Errorf("%s: %s, want %s", peer, got, want)
		}
	}
}

// clientOf returns the address of a client behind proxies, as a handler sees it.
func clientOf(t *testing.T, peer string, forwarded []string, see func(*web.Request) string) string {
	t.Helper()
	config := configOf(io.Discard, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
		return r.Bytes(http.StatusOK, "text/plain", []byte(see(r)))
	}})
	config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	handler, err := web.NewHandler(config)
	if err != nil {
		t.Fatal(err)
	}
	request, recorder := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
	request.RemoteAddr = peer
	request.Header["X-Forwarded-For"] = forwarded
	handler.ServeHTTP(recorder, request)
	return recorder.Body.String()
}
