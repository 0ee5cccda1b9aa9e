// Package outbound makes HTTP calls to addresses that users configure. It limits time and size,
// refuses addresses out of reach, and signs calls so that receivers can verify the caller.
package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"punchcard/platform/trace"
)

// The limits of one call.
const (
	DefaultConnectTimeout = 5 * time.Second
	DefaultTimeout        = 15 * time.Second // the whole call, including the response body

	MaxRetryAfter  = 24 * time.Hour // the longest pause that a receiver can request
	MaxAnswerBytes = 64 << 10       // maximum of a response body that is read

	maxAnswerHeaderBytes = 64 << 10

	idleConnections        = 100
	idleConnectionsPerHost = 4
	idleTimeout            = 30 * time.Second
)

// Config configures a client.
type Config struct {
	Reach          Reach            // which addresses are called
	ConnectTimeout time.Duration    // includes name resolution; DefaultConnectTimeout when 0
	Timeout        time.Duration    // DefaultTimeout when 0
	Agent          string           // the User-Agent of every call
	Clock          func() time.Time // for a Retry-After that is a date
}

// Client makes calls. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	agent string
	reach Reach
	clock func() time.Time
}

// NewClient returns a client. It ignores HTTP_PROXY and the like: a proxy would resolve names itself
// and bypass the address check.
func NewClient(c Config) *Client { return newClient(c, &net.Dialer{ControlContext: c.Reach.control}) }

func newClient(c Config, dialer *net.Dialer) *Client {
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = DefaultConnectTimeout
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	dialer.Timeout = c.ConnectTimeout
	return &Client{
		agent: c.Agent, reach: c.Reach, clock: c.Clock,
		http: &http.Client{
			Timeout: c.Timeout,
			Transport: &http.Transport{
				DialContext:            dialer.DialContext,
				TLSHandshakeTimeout:    c.ConnectTimeout,
				ForceAttemptHTTP2:      true,
				DisableCompression:     true,
				MaxResponseHeaderBytes: maxAnswerHeaderBytes,
				MaxIdleConns:           idleConnections,
				MaxIdleConnsPerHost:    idleConnectionsPerHost,
				IdleConnTimeout:        idleTimeout,
			},
			// Redirects are not followed.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Call is a request to a receiver.
type Call struct {
	Method string // POST when empty
	URL    string
	Header http.Header
	Body   []byte // JSON, unless Header names another Content-Type
}

// Response is the response of a receiver.
type Response struct {
	Status     int
	RetryAfter time.Duration // from the Retry-After header, 0 without one
	Body       []byte        // at most MaxAnswerBytes; may be cut off by the timeout
}

// OK reports whether the receiver accepted the call.
func (a *Response) OK() bool { return a.Status >= 200 && a.Status <= 299 }

// Refused reports whether repeating the same call is pointless.
func (a *Response) Refused() bool {
	switch a.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return a.Status >= 400 && a.Status <= 499
}

// Gone reports whether the receiver wants no more calls.
func (a *Response) Gone() bool { return a.Status == http.StatusGone }

// ErrURL means that an address cannot be called.
var ErrURL = errors.New("the URL is not valid")

// Do makes a call and returns the response, whatever its status. Errors contain neither the address
// nor anything that was sent, because addresses may contain secrets.
func (c *Client) Do(ctx context.Context, call Call) (*Response, error) {
	if !isCallable(call.URL) {
		return nil, ErrURL
	}
	method := call.Method
	if method == "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return nil, ErrURL
	}
	if call.Header != nil {
		request.Header = call.Header.Clone()
	}
	trace.Inject(ctx, request.Header)
	request.Header.Set("User-Agent", c.agent)
	if len(call.Body) > 0 && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, Cause(err)
	}
	defer func() { _ = response.Body.Close() }() // the response was read
	// Only the status counts, so a truncated body is not an error.
	body, _ := io.ReadAll(io.LimitReader(response.Body, MaxAnswerBytes))
	return &Response{
		Status: response.StatusCode, RetryAfter: c.retryAfter(response.Header.Get("Retry-After")), Body: body,
	}, nil
}

// Cause returns the cause of a failed connection without the address.
func Cause(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		if failed.Timeout() {
			return fmt.Errorf("no answer in time: %w", context.DeadlineExceeded)
		}
		err = failed.Err
	}
	if errors.Is(err, ErrRefused) {
		return ErrRefused
	}
	if unknown, ok := errors.AsType[*net.DNSError](err); ok && unknown.IsNotFound {
		return errors.New("the host is not known")
	}
	if broken, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s: %w", broken.Op, broken.Err)
	}
	return err
}

// retryAfter parses a Retry-After header: seconds, or a date.
func (c *Client) retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(MaxRetryAfter/time.Second))) * time.Second
	}
	if moment, err := http.ParseTime(text); err == nil {
		return min(max(moment.Sub(c.clock()), 0), MaxRetryAfter)
	}
	return 0
}
