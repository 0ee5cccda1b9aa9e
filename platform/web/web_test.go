package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"punchcard/platform/fault"
	"punchcard/platform/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// site is a running server of some routes, with what it logs.
type site struct {
	*httptest.Server
	log *journal
}

// journal collects log lines of several goroutines.
type journal struct {
	sync.Mutex
	bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.Lock()
	defer j.Unlock()
	return j.Buffer.Write(p)
}

func configOf(log io.Writer, routes ...web.Route) web.Config {
	var last atomic.Int64
	return web.Config{
		Routes: routes,
		Log:    slog.New(slog.NewJSONHandler(log, nil)),
		NewID:  func() string { return "made-" + string(rune('0'+last.Add(1))) },
		Clock:  time.Now,
	}
}

// open starts a server; change, when not nil, alters its configuration.
func open(t *testing.T, change func(*web.Config), routes ...web.Route) *site {
	t.Helper()
	s := &site{log: &journal{}}
	config := configOf(s.log, routes...)
	if change != nil {
		change(&config)
	}
	handler, err := web.NewHandler(config)
	if err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewServer(handler)
	s.Client().Transport.(*http.Transport).DisableCompression = true
	t.Cleanup(s.Close)
	return s
}

// lines stops the server, so that everything is logged, and returns the lines of the log.
func (s *site) lines(t *testing.T) []map[string]any {
	t.Helper()
	s.Close()
	var lines []map[string]any
	decoder := json.NewDecoder(bytes.NewReader(s.log.Bytes()))
	for {
		var line map[string]any
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
}

// answer is a response with its body.
type answer struct {
	*http.Response
	body string
}

// send makes a request with headers given as name, value, name, value.
func (s *site) send(t *testing.T, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	client := *s.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, response)
}

func read(t *testing.T, response *http.Response) answer {
	t.Helper()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return answer{response, string(content)}
}

func (s *site) get(t *testing.T, path string, headers ...string) answer {
	t.Helper()
	return s.send(t, http.MethodGet, path, nil, headers...)
}

func (a answer) check(t *testing.T, status int, body string) {
	t.Helper()
	if a.StatusCode != status || a.body != body {
		t.Errorf("%s %s: %d %s, want %d %s", a.Request.Method, a.Request.URL, a.StatusCode, a.body, status, body)
	}
}

func (a answer) checkHeader(t *testing.T, name, want string) {
	t.Helper()
	if got := strings.Join(a.Header.Values(name), ", "); got != want {
		t.Errorf("%s %s: header %s is %q, want %q", a.Request.Method, a.Request.URL, name, got, want)
	}
}

const (
	notFound    = `{"error":{"code":404,"message":"Not Found"}}`
	notAllowed  = `{"error":{"code":405,"message":"Method Not Allowed"}}`
	internal    = `{"error":{"code":500,"message":"Internal Server Error"}}`
	unavailable = `{"error":{"code":503,"message":"Service Unavailable"}}`
	tooLarge    = `{"error":{"code":413,"message":"Request Entity Too Large"}}`
	badRequest  = `{"error":{"code":400,"message":"Bad Request"}}`
)

// name responds with a text and the path's parameters.
func name(text string, parameters ...string) func(*web.Request) error {
	return func(r *web.Request) error {
		body := []byte(text)
		for _, p := range parameters {
			body = append(body, " "+p+"="+r.PathValue(p)...)
		}
		return r.Bytes(http.StatusOK, "text/plain", body)
	}
}

func TestConfigNeedsItsParts(t *testing.T) {
	if _, err := web.NewHandler(web.Config{}); err == nil {
		t.Error("a handler without log, ids and clock was made")
	}
}

func TestRequestID(t *testing.T) {
	s := open(t, nil, web.Route{Method: "GET", Path: "/id", Handle: func(r *web.Request) error {
		r.Log().Info("inside")
		return r.Bytes(http.StatusOK, "text/plain", []byte(r.ID))
	}})
	long := strings.Repeat("x", 128)
	for _, id := range []string{"abc-1.2_Z", long} {
		s.get(t, "/id", "X-Request-Id", id).check(t, 200, id)
	}
	for i, id := range []string{"", "a b", "a\"b", "ż", long + "x"} {
		made := "made-" + string(rune('1'+i))
		a := s.get(t, "/id", "X-Request-Id", id)
		a.check(t, 200, made)
		a.checkHeader(t, "X-Request-Id", made)
	}
	counts := map[any]int{}
	for _, line := range s.lines(t) {
		counts[line["id"]]++
	}
	if len(counts) != 7 || counts["abc-1.2_Z"] != 2 || counts["made-5"] != 2 {
		t.Errorf("log lines by request: %v", counts)
	}
}

func TestAccessLogHoldsNoPersonalData(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/api/{scope}/person/{person}", Handle: func(r *web.Request) error {
		_, err := r.Body()
		return errors.Join(err, r.Empty(http.StatusCreated))
	}})
	form := "application/x-www-form-urlencoded"
	s.send(t, "POST", "/api/one/person/secret-id?secret=1", strings.NewReader("a=secret"), "Content-Type", form,
		"Authorization", "Bearer secret")
	s.get(t, "/secret")
	s.send(t, "SECRET", "/api/one/person/2", nil)
	lines := s.lines(t)
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3", len(lines))
	}
	if strings.Contains(strings.ToLower(s.log.String()), "secret") {
		t.Errorf("the log tells too much: %s", s.log.String())
	}
	want := map[string]any{"method": "POST", "route": "/api/{scope}/person/{person}", "status": 201.0, "bytes": 0.0,
		"id": "made-1"}
	for key, value := range want {
		if lines[0][key] != value {
			t.Errorf("%s is %v, want %v", key, lines[0][key], value)
		}
	}
	if _, is := lines[0]["ms"].(float64); !is {
		t.Errorf("ms is %v", lines[0]["ms"])
	}
	if lines[1]["route"] != "none" || lines[1]["bytes"] != float64(len(notFound)) || lines[2]["method"] != "other" {
		t.Errorf("lines of refused requests: %v", lines[1:])
	}
}

// watched collects the calls of a Watcher.
type watched struct {
	running atomic.Int64
	calls   chan string
}

func (w *watched) Begin() { w.running.Add(1) }

func (w *watched) End(method, route string, status int, took time.Duration) {
	w.calls <- fmt.Sprint(method, " ", route, " ", status, " ", took >= 0, " ", w.running.Add(-1))
}

func TestWatcherGetsPatterns(t *testing.T) {
	watch := &watched{calls: make(chan string, 1)}
	s := open(t, func(c *web.Config) { c.Watch = watch }, web.Route{
		Method: "GET", Path: "/api/{scope}/person/{person}", Handle: func(r *web.Request) error {
			if r.PathValue("person") == "broken" {
				panic("lost")
			}
			return r.NoContent()
		}})
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/api/one/person/ada?x=y", "GET /api/{scope}/person/{person} 204 true 0"},
		{"HEAD", "/api/one/person/ada", "HEAD /api/{scope}/person/{person} 204 true 0"},
		{"GET", "/api/one/person/broken", "GET /api/{scope}/person/{person} 500 true 0"},
		{"GET", "/api/somewhere/else", "GET none 404 true 0"},
		{"POST", "/api/one/person/ada", "POST none 405 true 0"},
		{"OPTIONS", "/api/one/person/ada", "OPTIONS none 405 true 0"},
		{"BREW", "/api/one/person/ada", "other none 405 true 0"},
	} {
		request, err := http.NewRequest(c.method, s.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got := <-watch.calls; got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
}

func TestPanicIsAnswered(t *testing.T) {
	s := open(t, nil,
		web.Route{Method: "GET", Path: "/panic", Handle: func(r *web.Request) error {
			r.ResponseHeader().Set("Content-Disposition", "attachment")
			panic("broken part")
		}},
		web.Route{Method: "GET", Path: "/fine", Handle: name("fine")})
	a := s.get(t, "/panic")
	a.check(t, 500, internal)
	a.checkHeader(t, "Content-Disposition", "")
	s.get(t, "/fine").check(t, 200, "fine")
	line := s.lines(t)[0]
	stack, _ := line["stack"].(string)
	if line["panic"] != "string" || line["id"] != "made-1" || !strings.Contains(stack, "web_test.go") {
		t.Errorf("log line of the panic: %v", line)
	}
}

func TestBrokenAnswerIsCutShort(t *testing.T) {
	half := func(r *web.Request) {
		r.ResponseHeader().Set("Content-Type", "image/png")
		_, _ = r.Writer().Write(bytes.Repeat([]byte("x"), 100_000))
	}
	s := open(t, nil,
		web.Route{Method: "GET", Path: "/panic", Handle: func(r *web.Request) error { half(r); panic("late") }},
		web.Route{Method: "GET", Path: "/error", Handle: func(r *web.Request) error { half(r); return errors.New("late") }},
		web.Route{Method: "GET", Path: "/abort", Handle: func(*web.Request) error { panic(http.ErrAbortHandler) }})
	for _, path := range []string{"/panic", "/error", "/abort"} {
		response, err := s.Client().Get(s.URL + path)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			_ = response.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: half a response looks whole", path)
		}
	}
	for _, line := range s.lines(t) {
		if line["route"] == "/abort" && line["status"] != 0.0 || line["panic"] == "net/http: abort Handler" {
			t.Errorf("an abort is not a panic: %v", line)
		}
	}
}

func TestCORS(t *testing.T) {
	route := web.Route{Method: "PUT", Path: "/thing", Handle: name("put")}
	preflight := func(s *site, origin, method string) answer {
		return s.send(t, "OPTIONS", "/thing", nil, "Origin", origin, "Access-Control-Request-Method", method,
			"Access-Control-Request-Headers", "authorization,x-anything")
	}
	all := open(t, nil, route)
	a := preflight(all, "https://a.example", "PUT")
	a.check(t, 204, "")
	a.checkHeader(t, "Access-Control-Allow-Origin", "*")
	a.checkHeader(t, "Access-Control-Allow-Methods", "PUT")
	a.checkHeader(t, "Access-Control-Allow-Headers", "authorization,x-anything")
	a.checkHeader(t, "Access-Control-Max-Age", "3600")
	a.checkHeader(t, "Access-Control-Allow-Credentials", "")
	preflight(all, "https://a.example", "PATCH").checkHeader(t, "Access-Control-Allow-Origin", "")
	for _, path := range []string{"/thing", "/unknown"} {
		a = all.send(t, "PUT", path, nil, "Origin", "https://a.example")
		a.checkHeader(t, "Access-Control-Allow-Origin", "*")
		a.checkHeader(t, "Access-Control-Expose-Headers",
			"X-Request-Id, Etag, Retry-After, Idempotent-Replayed, Allow, Location, Content-Disposition, Dry-Run, Limit-Setting")
	}
	all.send(t, "OPTIONS", "/thing", nil).check(t, 405, notAllowed)

	one := open(t, func(c *web.Config) { c.CORSOrigins = []string{"https://a.example"} }, route)
	preflight(one, "https://a.example", "PUT").checkHeader(t, "Access-Control-Allow-Origin", "https://a.example")
	preflight(one, "https://b.example", "PUT").checkHeader(t, "Access-Control-Allow-Origin", "")
	a = one.send(t, "PUT", "/thing", nil, "Origin", "https://b.example")
	a.check(t, 200, "put")
	a.checkHeader(t, "Access-Control-Allow-Origin", "")
}

func TestSecurityHeaders(t *testing.T) {
	json := web.Route{Method: "GET", Path: "/json", Handle: func(r *web.Request) error { return r.JSON(200, 1) }}
	s := open(t, nil, json,
		web.Route{Method: "GET", Path: "/kept", Handle: func(r *web.Request) error {
			r.ResponseHeader().Set("Cache-Control", "max-age=60")
			return r.JSON(200, 1)
		}},
		web.Route{Method: "GET", Path: "/failed", Handle: func(r *web.Request) error {
			r.ResponseHeader().Set("Cache-Control", "max-age=60")
			r.ResponseHeader().Set("Content-Security-Policy", "img-src *")
			return fault.ErrNotFound
		}})
	for path, cache := range map[string]string{
		"/json": "no-store", "/kept": "max-age=60", "/none": "no-store", "/failed": "no-store",
	} {
		a := s.get(t, path)
		a.checkHeader(t, "X-Content-Type-Options", "nosniff")
		a.checkHeader(t, "Content-Security-Policy",
			"default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'")
		a.checkHeader(t, "Referrer-Policy", "no-referrer")
		a.checkHeader(t, "Cache-Control", cache)
		a.checkHeader(t, "Strict-Transport-Security", "")
	}
	s = open(t, func(c *web.Config) { c.HSTS = 365 * 24 * time.Hour }, json)
	s.get(t, "/json").checkHeader(t, "Strict-Transport-Security", "max-age=31536000; includeSubDomains")
}

func TestInFlightLimit(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	s := open(t, func(c *web.Config) { c.MaxInFlight = 1 },
		web.Route{Method: "GET", Path: "/slow", Handle: func(r *web.Request) error {
			entered <- true
			<-release
			return r.NoContent()
		}},
		web.Route{Method: "GET", Path: "/fine", Handle: name("fine")})
	for range 10 { // on one connection, whose next request starts when the last has ended
		s.get(t, "/fine").check(t, 200, "fine")
	}
	slow := make(chan answer)
	go func() { slow <- s.get(t, "/slow") }()
	<-entered
	a := s.get(t, "/fine", "Origin", "https://a.example")
	a.check(t, 503, unavailable)
	a.checkHeader(t, "Retry-After", "1")
	a.checkHeader(t, "Access-Control-Allow-Origin", "*")
	close(release)
	(<-slow).check(t, 204, "")
}

func TestQueryLimit(t *testing.T) {
	handler, err := web.NewHandler(configOf(io.Discard, web.Route{Method: "GET", Path: "/q", Handle: name("fine")}))
	if err != nil {
		t.Fatal(err)
	}
	for length, status := range map[int]int{web.MaxQueryBytes: 200, web.MaxQueryBytes + 1: 414} {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest("GET", "/q?"+strings.Repeat("a", length), nil))
		if recorder.Code != status {
			t.Errorf("a query of %d bytes: %d, want %d", length, recorder.Code, status)
		}
	}
}
