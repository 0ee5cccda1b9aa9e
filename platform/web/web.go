// Package web serves HTTP: it routes requests, limits what each may cost, and writes responses and errors.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/cors"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/trace"
)

// The limits of a request, and the defaults of Config.
const (
	MaxQueryBytes     = 64 << 10 // of the query string, escapes included
	MaxRequestIDBytes = 128      // of an X-Request-Id of the client that is used

	DefaultRequestTimeout = 30 * time.Second
	DefaultMaxInFlight    = 4096
	DefaultMaxBodyMemory  = 64 << 20
)

// corsMaxAge is the time in seconds for which browsers may cache a preflight response.
const corsMaxAge = 3600

// Config configures a handler. Log, NewID and Clock are required.
type Config struct {
	Routes []Route
	Log    *slog.Logger
	NewID  func() string    // makes the id of a request that has none
	Clock  func() time.Time // measures the time that a request takes
	Watch  Watcher          // is called for every request; may be nil
	Tracer *trace.Tracer    // may be nil

	CORSOrigins    []string       // web pages that may read responses, such as https://shop.example; none means all
	TrustedProxies []netip.Prefix // their X-Forwarded-For names the client; none by default
	HSTS           time.Duration  // time of Strict-Transport-Security; no header if 0
	RequestTimeout time.Duration  // until the context of a request ends, see Stream; DefaultRequestTimeout if 0
	MaxInFlight    int            // requests at a time, one more gets a 503; DefaultMaxInFlight if 0
	MaxPerClient   int            // the same for one client behind a trusted proxy; DefaultMaxPerClient if 0
	MaxBodyMemory  int64          // bytes of the bodies of requests in flight, more get a 503; DefaultMaxBodyMemory if 0
}

// Watcher observes requests. Each argument has few values: the method, or "other"; the pattern of the route, or "none";
// and the status of the response.
type Watcher interface {
	Begin()
	End(method, route string, status int, took time.Duration)
}

type handler struct {
	Config
	tree       *node
	cors       *cors.Cors
	hsts       []string
	inFlight   atomic.Int64
	bodyMemory atomic.Int64
	clients    clientCounts // requests in flight of clients behind trusted proxies
}

// NewHandler returns the handler of all routes. The error names the routes that are malformed or in conflict.
func NewHandler(c Config) (http.Handler, error) {
	if c.Log == nil || c.NewID == nil || c.Clock == nil {
		return nil, errors.New("web: Log, NewID and Clock are needed")
	}
	tree, err := newTree(c.Routes)
	if err != nil {
		return nil, err
	}
	if c.RequestTimeout == 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	if c.MaxInFlight == 0 {
		c.MaxInFlight = DefaultMaxInFlight
	}
	if c.MaxPerClient == 0 {
		c.MaxPerClient = DefaultMaxPerClient
	}
	if c.MaxBodyMemory == 0 {
		c.MaxBodyMemory = DefaultMaxBodyMemory
	}
	if len(c.CORSOrigins) == 0 {
		c.CORSOrigins = []string{"*"}
	}
	h := &handler{Config: c, tree: tree, cors: cors.New(cors.Options{
		AllowedOrigins: c.CORSOrigins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodHead},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{"X-Request-Id", "ETag", "Retry-After", "Idempotent-Replayed", "Allow", "Location",
			"Content-Disposition", "Dry-Run", LimitSetting},
		MaxAge: corsMaxAge,
	})}
	if c.HSTS > 0 {
		h.hsts = []string{fmt.Sprintf("max-age=%d; includeSubDomains", int64(c.HSTS/time.Second))}
	}
	return h, nil
}

// The headers of every response. Handlers whose responses are shown in a browser replace them.
var (
	nosniff    = []string{"nosniff"}
	noContent  = []string{"default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"}
	noReferrer = []string{"no-referrer"}
	noStore    = []string{"no-store"}
)

func (h *handler) secure(header http.Header) {
	header["X-Content-Type-Options"] = nosniff
	header["Content-Security-Policy"] = noContent
	header["Referrer-Policy"] = noReferrer
	header["Cache-Control"] = noStore
	if h.hsts != nil {
		header["Strict-Transport-Security"] = h.hsts
	}
}

// ServeHTTP handles a request and writes one log line about it.
func (h *handler) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r := &Request{
		Request:  request,
		handler:  h,
		response: response{ResponseWriter: w, request: request},
		started:  h.Clock(),
	}
	r.ID = request.Header.Get("X-Request-Id")
	if !validID(r.ID) {
		r.ID = h.NewID()
	}
	r.Request, r.span = h.Tracer.Request(request)
	request = r.Request
	header := w.Header()
	header["X-Request-Id"] = []string{r.ID}
	h.secure(header)
	defer h.end(r)
	r.expectBody()
	running := h.inFlight.Add(1)
	if h.Watch != nil {
		h.Watch.Begin()
	}
	h.cors.HandlerFunc(&r.response, request)
	if r.response.status != 0 {
		return // a preflight request: cors has responded
	}
	if running > int64(h.MaxInFlight) || !h.admit(r) {
		r.fail(fault.ErrBusy)
		return
	}
	ctx, cancel := context.WithTimeout(request.Context(), h.RequestTimeout)
	defer cancel()
	r.Request = request.WithContext(ctx)
	if err := h.serve(r); err != nil {
		r.fail(err)
	}
}

func (h *handler) serve(r *Request) error {
	if len(r.URL.RawQuery) > MaxQueryBytes {
		return errURITooLong
	}
	if err := h.route(r); err != nil {
		return err
	}
	if carriesBody(r.Method) && r.ContentLength > max(form.MaxBodyBytes, r.endpoint.UploadBytes) {
		return form.ErrTooLarge
	}
	return r.endpoint.Handle(r)
}

// route finds the endpoint. A POST may stand for a PUT or DELETE, which HTML forms cannot send: with the header
// X-HTTP-Method-Override, or with _method in the body or query. The body is read only if the path has a PUT or
// DELETE, so that every other POST is routed before its body is read.
func (h *handler) route(r *Request) error {
	var s search
	if r.Method == http.MethodPost {
		others := h.methodsOf(r)
		if others[slotOf(http.MethodPut)] || others[slotOf(http.MethodDelete)] {
			r.Method = r.overriddenMethod()
		}
	}
	r.endpoint = s.find(h.tree, r.URL, slotOf(r.Method))
	r.values = s.values
	switch {
	case r.endpoint != nil:
		return nil
	case s.others == methods{}:
		return fault.ErrNotFound
	default:
		return errMethodNotAllowed
	}
}

// methodsOf returns the methods that the request's path has.
func (h *handler) methodsOf(r *Request) methods {
	var s search
	s.find(h.tree, r.URL, -1)
	return s.others
}

// end completes the response of a handler that returned or panicked, and logs the request.
func (h *handler) end(r *Request) {
	if broken := recover(); broken != nil {
		if broken != http.ErrAbortHandler {
			r.Log().Error("panic", "panic", fault.PanicText(broken), "stack", string(debug.Stack()))
			r.fail(errInternal)
		}
		r.cut = r.cut || broken == http.ErrAbortHandler
	}
	if !r.cut {
		r.response.finish()
	}
	if r.response.stalled != nil {
		r.response.stalled.Stop()
	}
	h.inFlight.Add(-1)
	if r.client.IsValid() {
		h.clients.giveBack(r.client)
	}
	h.bodyMemory.Add(-r.bodyBytes)
	method, pattern, took := r.method(), r.pattern(), h.Clock().Sub(r.started)
	if h.Watch != nil {
		h.Watch.End(method, pattern, r.response.status, took)
	}
	r.span.EndRequest(method, pattern, r.response.status, r.ID)
	h.logAccess(r, method, pattern, took)
	if r.cut {
		panic(http.ErrAbortHandler) // closes the connection without a log line
	}
}

// method returns the method, or "other" for one that the server does not know, which is any text of the client.
func (r *Request) method() string {
	if slotOf(r.Method) < 0 && r.Method != http.MethodOptions {
		return "other"
	}
	return r.Method
}

// pattern returns the pattern of the route. The path itself may contain personal data.
func (r *Request) pattern() string {
	if r.endpoint == nil {
		return "none"
	}
	return r.endpoint.Path
}

func (h *handler) logAccess(r *Request, method, pattern string, took time.Duration) {
	ctx := context.Background()
	if !h.Log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	h.Log.LogAttrs(ctx, slog.LevelInfo, "request",
		slog.String("method", method),
		slog.String("route", pattern),
		slog.Int("status", r.response.status),
		slog.Int64("bytes", r.response.bytes),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("id", r.ID))
}

// validID reports whether the request id of a client can be used.
func validID(id string) bool {
	if id == "" || len(id) > MaxRequestIDBytes {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("._-", c) >= 0) {
			return false
		}
	}
	return true
}
