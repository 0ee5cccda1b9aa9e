package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"punchcard/platform/web"
)

// Clients get pages and scripts as they accept them, with one tag for both forms.
func TestCompression(t *testing.T) {
	routes, err := Routes(nil)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := web.NewHandler(web.Config{
		Routes: routes, Log: slog.New(slog.DiscardHandler), NewID: func() string { return "1" }, Clock: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	server.Client().Transport.(*http.Transport).DisableCompression = true
	get := func(path, accepted, tag string) (*http.Response, []byte) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		request.Header.Set("Accept-Encoding", accepted)
		request.Header.Set("If-None-Match", tag)
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || response.Header.Get("Etag") == "" {
			t.Fatalf("%s: %v, tag %q", path, err, response.Header.Get("Etag"))
		}
		return response, body
	}
	_, page := get("/", "", "")
	_, script, _ := strings.Cut(string(page), `src="`)
	script, _, _ = strings.Cut(script, `"`)
	for path, want := range map[string]string{"/": "<!doctype html>", "/me/points": "<!doctype html>", script: "import"} {
		plain, body := get(path, "identity", "")
		if plain.StatusCode != 200 || plain.Header.Get("Content-Encoding") != "" ||
			!strings.Contains(strings.ToLower(string(body)), want) {
			t.Errorf("%s without compression: %d, %.80q", path, plain.StatusCode, body)
		}
		packed, zipped := get(path, "gzip, br", "")
		reader, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil || packed.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s: %v, encoding %q", path, err, packed.Header.Get("Content-Encoding"))
		}
		if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, body) {
			t.Errorf("%s: %v, or not the same content with gzip", path, err)
		}
		tag := packed.Header.Get("Etag")
		if tag != plain.Header.Get("Etag") {
			t.Errorf("%s: tags %q and %q", path, tag, plain.Header.Get("Etag"))
		}
		if again, _ := get(path, "gzip", tag); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %d for a client that has it", path, again.StatusCode)
		}
	}
}
