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
)

// Request is one request and its answer. It belongs to one goroutine and ends with the handler.
// The embedded Request's context ends after Config.RequestTimeout, which Stream puts off, or when the client leaves.
type Request struct {
	*http.Request
	ID string // of this request: in its answer and in every line it logs

	handler   *handler
	endpoint  *endpoint
	values    [maxParameters]string
	query     lazy
	body      lazy
	bodyBytes int64     // read so far, counted in handler.bodyMemory until the end
	bodySum   hash.Hash // of what was read so far; see BodySum
	bodyCame  int64     // bytes, also those that nobody needs
	bodyAsked bool
	bodyFrom  time.Time    // when its time began
	bodyDue   time.Time    // when its next part must be there
	from      *connection  // that the body comes on; nil without a body, and for requests without a connection
	client    netip.Prefix // that the request counts for; invalid when it counts for none
	response  response
	started   time.Time
	cut       bool // the connection must be closed instead of completing the answer
	idLogger  *slog.Logger
}

// lazy is a tree that is parsed when it is first asked for.
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

// Log returns the logger of this request: its lines carry the request's id.
func (r *Request) Log() *slog.Logger {
	if r.idLogger == nil {
		r.idLogger = r.handler.Log.With("id", r.ID)
	}
	return r.idLogger
}

// PathValue returns a parameter of the path, without percent escapes; empty when the route has none of the name.
// It is valid UTF-8 without a zero byte, but may hold a slash.
func (r *Request) PathValue(name string) string {
	if i := slices.Index(r.endpoint.parameters, name); i >= 0 {
		return r.values[i]
	}
	return ""
}

// Query returns the query string as a tree, parsed once.
func (r *Request) Query() (*form.Node, error) {
	return r.query.get(func() (*form.Node, error) { return form.ParseQuery(r.URL.RawQuery) })
}

// Body returns the body as a tree, parsed once; nil, which every method of Node takes, when there is no body.
// The body of a GET has no meaning and is not read.
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

// Input returns the field of the body, or the query's when the body has none of the name.
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

// overriddenMethod returns the method that a POST asks for, POST when it asks for none.
func (r *Request) overriddenMethod() string {
	wanted := r.Header.Get("X-HTTP-Method-Override")
	if wanted == "" {
		// A body that cannot be parsed asks for nothing; who reads it next gets the same error.
		field, _ := r.Input("_method")
		wanted = field.Text()
	}
	switch wanted = strings.ToUpper(wanted); wanted {
	case http.MethodPut, http.MethodDelete:
		return wanted
	}
	return http.MethodPost
}

// carriesBody says whether a body has a meaning for the method.
func carriesBody(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// bodyReader reads the body and counts it in the memory of all bodies in flight.
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

// maxDiscardBytes is how much of a refused body is taken from the client and thrown away.
const maxDiscardBytes = 32 << 20

// discardBody reads what a refused request still sends. Many clients read no answer before they have sent all;
// without this they would see a broken connection in place of the fault. A client that expects 100 Continue waits.
func (r *Request) discardBody() {
	if r.ContentLength != 0 && r.ContentLength <= maxDiscardBytes && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, pacedBody{r}, maxDiscardBytes) // a failure shows when the answer is written
	}
}

// Writer is the answer itself, for handlers that stream or that net/http packages bring. An error that such a
// handler returns after its first bytes cuts the connection.
func (r *Request) Writer() http.ResponseWriter { return &r.response }

// Stream is Writer for an answer of any length. From now on the request's context does not end with the time of the
// whole request, but when as much time passes without a write. A client who takes no bytes for as long is cut off.
func (r *Request) Stream() http.ResponseWriter {
	ctx, cancel := context.WithCancel(r.response.asked.Context())
	r.Request = r.WithContext(ctx)
	r.response.patience = r.handler.RequestTimeout
	r.response.stalled = time.AfterFunc(r.response.patience, cancel)
	return &r.response
}

// ResponseHeader returns the headers of the answer, to be changed before the body is written.
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

// maxPooledBytes is the largest buffer that is kept for the next answer.
const maxPooledBytes = 256 << 10

var (
	contentTypeJSON    = []string{"application/json"}
	contentTypeProblem = []string{ProblemType}
)

// JSON answers with v, which is encoded whole before anything is sent: an error leaves the answer untouched.
func (r *Request) JSON(status int, v any) error { return r.json(status, contentTypeJSON, v) }

func (r *Request) json(status int, contentType []string, v any) error {
	return encode(v, func(body []byte) error {
		r.ResponseHeader()["Content-Type"] = contentType
		return r.send(status, body)
	})
}

// encode hands the body of v to use, which must not keep it.
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

// Bytes answers with a body that is complete.
func (r *Request) Bytes(status int, contentType string, body []byte) error {
	r.ResponseHeader()["Content-Type"] = []string{contentType}
	return r.send(status, body)
}

func (r *Request) send(status int, body []byte) error {
	r.ResponseHeader()["Content-Length"] = []string{strconv.Itoa(len(body))}
	r.response.WriteHeader(status)
	_, err := r.response.Write(body)
	return err
}

// Empty answers with a status and no body.
func (r *Request) Empty(status int) error {
	r.response.WriteHeader(status)
	return nil
}

// NoContent answers 204.
func (r *Request) NoContent() error { return r.Empty(http.StatusNoContent) }
