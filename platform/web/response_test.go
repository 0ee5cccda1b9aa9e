package web_test

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"punchcard/platform/web"
)

// bodyOf responds with a body of the type and length.
func bodyOf(contentType string, length int) func(*web.Request) error {
	return func(r *web.Request) error {
		return r.Bytes(http.StatusOK, contentType, []byte(strings.Repeat("x", length)))
	}
}

// unpack returns the body without its compression.
func (a answer) unpack(t *testing.T) string {
	t.Helper()
	reader, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestGzipNegotiation(t *testing.T) {
	s := open(t, nil, web.Route{Method: "GET", Path: "/", Handle: bodyOf("text/csv", 5000)})
	for accept, zipped := range map[string]bool{
		"":                           false,
		"gzip":                       true,
		"GZIP":                       true,
		"x-gzip":                     true,
		"deflate, gzip;q=0.5, br":    true,
		"gzip ; q=1.0":               true,
		"*":                          true,
		"*;q=0.1":                    true,
		"gzip;q=0":                   false,
		"gzip;q=0.000":               false,
		"*, gzip;q=0":                false,
		"*;q=0":                      false,
		"deflate, br":                false,
		"identity;q=1, gzip;q=0.5":   false,
		"identity;q=0.5, gzip;q=0.5": true,
		"gzip;q=2":                   false,
		"gzip;q=NaN":                 false,
		"gzip;q=":                    false,
		"gzip;level=1":               false,
		"gzipped":                    false,
	} {
		a := s.get(t, "/", "Accept-Encoding", accept)
		a.checkHeader(t, "Vary", "Origin, Accept-Encoding")
		switch got := a.Header.Get("Content-Encoding"); {
		case got != "" && got != "gzip", (got == "gzip") != zipped:
			t.Errorf("%q: content encoding %q", accept, got)
		case zipped && a.unpack(t) != strings.Repeat("x", 5000):
			t.Errorf("%q: the content is changed", accept)
		case !zipped && a.body != strings.Repeat("x", 5000):
			t.Errorf("%q: the content is changed", accept)
		}
	}
}

func TestGzipOnlyWhatShrinks(t *testing.T) {
	ready := func(headers ...string) func(*web.Request) error {
		return func(r *web.Request) error {
			for i := 0; i < len(headers); i += 2 {
				r.ResponseHeader().Set(headers[i], headers[i+1])
			}
			return bodyOf("text/css", 5000)(r)
		}
	}
	s := open(t, nil,
		web.Route{Method: "GET", Path: "/short", Handle: bodyOf("text/plain", web.MinGzipBytes-1)},
		web.Route{Method: "GET", Path: "/long", Handle: bodyOf("application/json; charset=utf-8", web.MinGzipBytes)},
		web.Route{Method: "GET", Path: "/png", Handle: bodyOf("image/png", 5000)},
		web.Route{Method: "GET", Path: "/svg", Handle: bodyOf("image/svg+xml", 5000)},
		web.Route{Method: "GET", Path: "/packed", Handle: ready("Content-Encoding", "br")},
		web.Route{Method: "GET", Path: "/range", Handle: ready("Content-Range", "bytes 0-4999/9000")},
		web.Route{Method: "GET", Path: "/tagged", Handle: ready("Etag", `"1"`)})
	for path, want := range map[string]string{"/short": "", "/long": "gzip", "/png": "", "/svg": "", "/packed": "br",
		"/range": "", "/tagged": "gzip"} {
		s.get(t, path, "Accept-Encoding", "gzip").checkHeader(t, "Content-Encoding", want)
	}
	s.get(t, "/tagged", "Accept-Encoding", "gzip").checkHeader(t, "Etag", `W/"1"`)
	s.get(t, "/tagged").checkHeader(t, "Etag", `"1"`)
	s.get(t, "/png", "Accept-Encoding", "gzip").checkHeader(t, "Vary", "Origin")
	head := s.send(t, "HEAD", "/long", nil, "Accept-Encoding", "gzip")
	head.check(t, 200, "")
	head.checkHeader(t, "Content-Encoding", "gzip")
}

func TestStreaming(t *testing.T) {
	stream := func(parts int, then error) func(*web.Request) error {
		return func(r *web.Request) error {
			r.ResponseHeader().Set("Content-Type", "text/csv")
			for range parts {
				if _, err := io.WriteString(r.Writer(), strings.Repeat("row\n", 100)); err != nil {
					return err
				}
			}
			return then
		}
	}
	s := open(t, nil,
		web.Route{Method: "GET", Path: "/short", Handle: stream(3, nil)},
		web.Route{Method: "GET", Path: "/long", Handle: stream(1000, nil)},
		web.Route{Method: "GET", Path: "/error", Handle: stream(3, errors.New("broken"))})
	a := s.get(t, "/short", "Accept-Encoding", "gzip")
	a.check(t, 200, strings.Repeat("row\n", 300))
	a.checkHeader(t, "Content-Length", "1200")
	a = s.get(t, "/long", "Accept-Encoding", "gzip")
	if a.unpack(t) != strings.Repeat("row\n", 100_000) {
		t.Error("the stream is changed")
	}
	s.get(t, "/long").check(t, 200, strings.Repeat("row\n", 100_000))
	// An error before the first byte is sent replaces the response.
	s.get(t, "/error", "Accept-Encoding", "gzip").check(t, 500, internal)
}

func TestFlushSendsWhatIsThere(t *testing.T) {
	for _, accept := range []string{"", "gzip"} {
		release := make(chan bool)
		s := open(t, nil, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
			r.ResponseHeader().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(r.Writer(), "first ")
			err := http.NewResponseController(r.Writer()).Flush()
			<-release
			_, _ = io.WriteString(r.Writer(), "second")
			return err
		}})
		request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", accept)
		response, err := s.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		var content io.Reader = response.Body
		if accept != "" {
			if content, err = gzip.NewReader(content); err != nil {
				t.Fatal(err)
			}
		}
		first := make([]byte, 6)
		if _, err := io.ReadFull(content, first); err != nil || string(first) != "first " {
			t.Errorf("before the handler ends: %q, %v", first, err)
		}
		close(release)
		rest, err := io.ReadAll(content)
		if err != nil || string(rest) != "second" {
			t.Errorf("the rest: %q, %v", rest, err)
		}
		_ = response.Body.Close()
	}
}
