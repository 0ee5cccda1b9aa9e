package web

import (
	"bytes"
	"context"
	"encoding/json"
	"hash"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/trace"
)

// Request is a request and its response. It belongs to one goroutine and ends with the handler. The context of the
// embedded Request ends after Config.RequestTimeout, which Stream extends, or when the client leaves.
type Request struct {
	*http.Request
	ID string // of the request, in its response and its log lines

	handler      *handler
	endpoint     *endpoint
	values       [maxParameters]string
	query        lazy
	body         lazy
	bodyBytes    int64        // read so far; counted in handler.bodyMemory until the end
	bodySum      hash.Hash    // of the bytes read so far, see BodySum
	bodyReceived int64        // bytes, those that were discarded included
	bodyWanted   bool         // the handler has begun to read it
	bodyStarted  time.Time    // when its time limit began
	bodyDue      time.Time    // deadline of its next part
	from         *connection  // of the body; nil without a body, and for requests without a connection
	upload       *upload      // nil unless the body is read by Upload
	client       netip.Prefix // network that the request counts for; invalid if for none
	response     response
	rewrite      func(body []byte) []byte // of a JSON body that is sent; nil for none
	started      time.Time
	span         *trace.Span
	cut          bool // the connection must be closed instead of completing the response
	idLogger     *slog.Logger
}

// lazy is a tree that is parsed on first use.
type lazy struct {
	done bool
	tree *form.Node
	err  error
}

func (l *lazy) get(parse func() (*form.Node, error)) (*form.Node, error) {
	if !l.done {
		l.tree, l.err = parse()
		l.done = true
	}
	return l.tree, l.err
}

// Log returns a logger whose lines have the id of the request.
func (r *Request) Log() *slog.Logger {
	if r.idLogger == nil {
		r.idLogger = r.handler.Log.With("id", r.ID)
	}
	return r.idLogger
}

// PathValue returns a parameter of the path without percent escapes, empty if the route has none of the name. It is
// valid UTF-8 without a zero byte, but may contain a slash.
func (r *Request) PathValue(name string) string {
	if i := slices.Index(r.endpoint.parameters, name); i >= 0 {
		return r.values[i]
	}
	return ""
}

// PathValues returns all parameters of the path, in their order.
func (r *Request) PathValues() []string { return r.values[:len(r.endpoint.parameters)] }

// Submitted returns the body as a tree if Body has parsed it; otherwise nil.
func (r *Request) Submitted() *form.Node { return r.body.tree }

// Query returns the query string as a tree, parsed once.
func (r *Request) Query() (*form.Node, error) {
	return r.query.get(func() (*form.Node, error) { return form.ParseQuery(r.URL.RawQuery) })
}

// Body returns the body as a tree, parsed once; nil if there is no body, which every method of Node accepts. The body
// of a GET has no meaning and is not read.
func (r *Request) Body() (*form.Node, error) { return r.body.get(r.parseBody) }

func (r *Request) parseBody() (*form.Node, error) {
	if !carriesBody(r.Method) || r.ContentLength == 0 {
		return nil, nil
	}
	if r.ContentLength > form.MaxBodyBytes {
		return nil, form.ErrTooLarge
	}
	coding := r.Header.Get("Content-Encoding")
	if coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, form.ErrUnsupportedMedia
	}
	return form.Decode(r.Header.Get("Content-Type"), bodyReader{r})
}

// Input returns a field of the body, or of the query if the body has none of the name.
func (r *Request) Input(name string) (*form.Node, error) {
	body, err := r.Body()
	if err != nil {
		return nil, err
	}
	if field := body.Child(name); field != nil {
		return field, nil
	}
	query, err := r.Query()
	return query.Child(name), err
}

// overriddenMethod returns the method that a POST stands for, POST itself by default.
func (r *Request) overriddenMethod() string {
	wanted := r.Header.Get("X-HTTP-Method-Override")
	if wanted == "" {
		// A body that cannot be parsed names no method; the handler gets the same error.
		field, _ := r.Input("_method")
		wanted = field.Text()
	}
	switch wanted = strings.ToUpper(wanted); wanted {
	case http.MethodPut, http.MethodDelete:
		return wanted
	}
	return http.MethodPost
}

// carriesBody reports whether a body has a meaning for the method.
func carriesBody(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// bodyReader reads the body and counts it in the memory of the bodies of all requests in flight.
type bodyReader struct{ of *Request }

func (b bodyReader) Read(p []byte) (int, error) {
	n, err := pacedBody(b).Read(p)
	b.of.sum(p[:n])
	b.of.bodyBytes += int64(n)
	if b.of.handler.bodyMemory.Add(int64(n)) > b.of.handler.MaxBodyMemory {
		return 0, fault.ErrBusy
	}
	return n, err
}

// maxDiscardBytes is the number of bytes that are read and discarded of the body of a refused request.
const maxDiscardBytes = 32 << 20

// discardBody reads the rest of the body of a refused request. Many clients read the response only after they have
// sent everything; they would get a broken connection instead of the error. Clients that expect 100 Continue do not
// send yet.
func (r *Request) discardBody() {
	if r.ContentLength != 0 && r.ContentLength <= maxDiscardBytes && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, pacedBody{r}, maxDiscardBytes) // an error shows when the response is written
	}
}

// Writer returns the response for handlers of net/http. An error after the first bytes closes the connection.
func (r *Request) Writer() http.ResponseWriter { return &r.response }

// Stream returns the response as a writer of any length. From then on the context of the request ends only when
// Config.RequestTimeout passes without a write. A client that reads nothing for as long is cut off.
func (r *Request) Stream() http.ResponseWriter {
	ctx, cancel := context.WithCancel(r.response.request.Context())
	r.Request = r.WithContext(ctx)
	r.response.patience = r.handler.RequestTimeout
	r.response.stalled = time.AfterFunc(r.response.patience, cancel)
	return &r.response
}

// ResponseHeader returns the headers of the response. They can be changed until the body is written.
func (r *Request) ResponseHeader() http.Header { return r.response.Header() }

// encoder is a JSON encoder with its buffer.
type encoder struct {
	bytes.Buffer
	json *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.Buffer)
	e.json.SetEscapeHTML(false)
	return e
}}

// maxPooledBytes is the size of the largest buffer that goes back to the pool.
const maxPooledBytes = 256 << 10

var (
	contentTypeJSON    = []string{"application/json"}
	contentTypeProblem = []string{ProblemType}
)

// JSON responds with v. It encodes all of v before it sends anything: an error leaves the response untouched.
func (r *Request) JSON(status int, v any) error { return r.json(status, contentTypeJSON, v) }

func (r *Request) json(status int, contentType []string, v any) error {
	return encode(v, func(body []byte) error {
		r.ResponseHeader()["Content-Type"] = contentType
		return r.send(status, body)
	})
}

// encode passes the JSON of v to use, which must not keep it.
func encode(v any, use func(body []byte) error) error {
	e := encoders.Get().(*encoder)
	defer func() {
		if e.Cap() <= maxPooledBytes {
			encoders.Put(e)
		}
	}()
	e.Reset()
	if err := e.json.Encode(v); err != nil {
		return err
	}
	return use(bytes.TrimSuffix(e.Bytes(), []byte("\n")))
}

// Bytes responds with a complete body.
func (r *Request) Bytes(status int, contentType string, body []byte) error {
	r.ResponseHeader()["Content-Type"] = []string{contentType}
	return r.send(status, body)
}

func (r *Request) send(status int, body []byte) error {
	r.response.WriteHeader(status)
	return r.write(body)
}

// write sends a whole body, or holds it: what is held is stored to an Idempotency-Key, and not rewritten before
// Release.
func (r *Request) write(body []byte) error {
	if r.rewrite != nil && !r.response.whole && strings.HasSuffix(r.ResponseHeader().Get("Content-Type"), "json") {
		body = r.rewrite(body)
	}
	r.ResponseHeader()["Content-Length"] = []string{strconv.Itoa(len(body))}
	_, err := r.response.Write(body)
	return err
}

// Rewrite lets f change each JSON body before it is sent.
func (r *Request) Rewrite(f func(body []byte) []byte) { r.rewrite = f }

// Empty responds with a status and no body.
func (r *Request) Empty(status int) error {
	r.response.WriteHeader(status)
	return nil
}

// NoContent responds with 204.
func (r *Request) NoContent() error { return r.Empty(http.StatusNoContent) }

// Lead leads the client to another address, for this time (302).
func (r *Request) Lead(address string) error {
	r.ResponseHeader().Set("Location", address)
	return r.Empty(http.StatusFound)
}

// WantsPage reports whether the client would rather have a page than JSON, as a browser does whose user opens a link.
func (r *Request) WantsPage() bool { return prefers(r.Header["Accept"], "text/html") }

// IsLook reports whether nobody sees the response: the request has the method HEAD, as those of scanners, or a browser
// fetches ahead what its user may open.
func (r *Request) IsLook() bool {
	ahead := func(name string) bool { return strings.HasPrefix(strings.ToLower(r.Header.Get(name)), "prefetch") }
	return r.Method == http.MethodHead || ahead("Sec-Purpose") || ahead("Purpose")
}
