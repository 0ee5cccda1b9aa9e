package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"punchcard/platform/web"
)

// FuzzForwardedFor sends any X-Forwarded-For header: an untrusted peer is always itself, and behind a trusted proxy the
// client is one address or one /64 network.
func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{
		"198.51.100.1", "203.0.113.9, 198.51.100.1", "[2001:db8::1]:99", "unknown", ",,", "::%eth0",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	config := configOf(io.Discard, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
		return r.Bytes(http.StatusOK, "text/plain", []byte(r.ClientNetwork()))
	}})
	config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	handler, err := web.NewHandler(config)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, forwarded string, trusted bool) {
		request, recorder := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		request.RemoteAddr = "192.0.2.7:4000"
		if trusted {
			request.RemoteAddr = "10.0.0.1:4000"
		}
		request.Header["X-Forwarded-For"] = []string{forwarded}
		handler.ServeHTTP(recorder, request)
		client := recorder.Body.String()
		if !trusted && client != "192.0.2.7" {
			t.Fatalf("an untrusted peer forwarded for %q is %s", forwarded, client)
		}
		if _, err := netip.ParseAddr(client); err != nil {
			if network, err := netip.ParsePrefix(client); err != nil || network.Bits() != 64 {
				t.Fatalf("%q: the client is %q", forwarded, client)
			}
		}
	})
}

// FuzzPath requests any path: the router responds with 200, 400, 404 or 405, and a parameter never contains a slash.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{
		"/api/a", "/api/a/b", "/api/%2e%2e/b", "/api//b", "/api/a%2Fb/c", "/api/%ff", "/files/x/../y",
	} {
		f.Add("GET", seed)
	}
	f.Add("TRACE", "/api/a")
	show := func(r *web.Request) error { return r.Bytes(http.StatusOK, "text/plain", []byte(r.PathValue("one"))) }
	handler, err := web.NewHandler(configOf(io.Discard,
		web.Route{Method: "GET", Path: "/api/{one}", Handle: show},
		web.Route{Method: "POST", Path: "/api/{one}/b", Handle: show},
		web.Route{Method: "GET", Path: "/files/{rest...}", Handle: show},
	))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, method, path string) {
		request, err := http.NewRequest(method, "http://127.0.0.1", nil)
		if err != nil {
			return
		}
		if request.URL, err = request.URL.Parse(path); err != nil || request.URL.Host != "127.0.0.1" {
			return
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		switch recorder.Code {
		case 200, 204, 308, 400, 404, 405:
		default:
			t.Fatalf("%s %q: %d %s", method, path, recorder.Code, recorder.Body)
		}
	})
}

// FuzzAccept sends any Accept header: errors are JSON, as problem details only for clients that name their type, and
// spaces around the header change nothing.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{
		"", "*/*", problemType, problemType + ";q=0.5, */*;q=0.6", "application/problem+JSON; Q=0.001;q=1", ",;q=;,=",
	} {
		f.Add(seed)
	}
	handler, err := web.NewHandler(configOf(io.Discard))
	if err != nil {
		f.Fatal(err)
	}
	contentType := func(accept string) string {
		request, recorder := httptest.NewRequest("GET", "/none", nil), httptest.NewRecorder()
		request.Header["Accept"] = []string{accept}
		handler.ServeHTTP(recorder, request)
		return recorder.Header().Get("Content-Type")
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got := contentType(accept)
		named := strings.Contains(strings.ToLower(accept), problemType)
		if got != "application/json" && (got != problemType || !named) {
			t.Fatalf("%q: %q", accept, got)
		}
		if spaced := contentType(" " + accept + " "); spaced != got {
			t.Fatalf("%q: %q, with spaces %q", accept, got, spaced)
		}
	})
}
