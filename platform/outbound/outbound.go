// Package outbound calls addresses that users configure: within limits, only where it may reach, and signed so that
// receivers can verify who calls.
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
)

// The limits of one call.
const (
	DefaultConnectTimeout = 5 * time.Second
	DefaultTimeout        = 15 * time.Second // the whole call, the answer's body included

	MaxAnswerBytes       = 64 << 10 // of an answer's body that are read
	maxAnswerHeaderBytes = 64 << 10

	idleConnections        = 100
	idleConnectionsPerHost = 4
	idleTimeout            = 30 * time.Second
)

// Config says how calls are made.
type Config struct {
	Reach          Reach            // which addresses are called
	ConnectTimeout time.Duration    // name look-up included; DefaultConnectTimeout when 0
	Timeout        time.Duration    // DefaultTimeout when 0
	Agent          string           // the User-Agent of every call
	Clock          func() time.Time // for a Retry-After that names a moment
}

// Client makes calls. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	agent string
	reach Reach
	clock func() time.Time
}

// NewClient makes a client. Settings of the process such as HTTP_PROXY do not concern it: a proxy would look up names
// itself, behind the check of addresses.
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
			// An answer that leads elsewhere is the answer.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Close closes the connections that wait for another call.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Call is what is sent.
type Call struct {
	Method string // POST when empty
	URL    string
	Header http.Header
	Body   []byte // JSON, unless Header names another Content-Type
}

// Answer is what a receiver said.
type Answer struct {
	Status     int
	RetryAfter time.Duration // that it asked to wait; 0 when it did not
	Body       []byte        // the first MaxAnswerBytes, less when they did not arrive in time
}

// OK says whether the receiver took the call.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status <= 299 }

// Refused says whether the receiver would not take the same call later either.
func (a *Answer) Refused() bool {
	switch a.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return a.Status >= 400 && a.Status <= 499
}

// Gone says whether the receiver wants no more calls.
func (a *Answer) Gone() bool { return a.Status == http.StatusGone }

// ErrURL says that an address cannot be called.
var ErrURL = errors.New("the URL is not valid")

// Do makes a call and waits for its answer, whatever its status. Errors name neither the address nor anything that was
// sent: addresses may hold secrets.
func (c *Client) Do(ctx context.Context, call Call) (*Answer, error) {
	if !isURL(call.URL) {
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
	request.Header.Set("User-Agent", c.agent)
	if len(call.Body) > 0 && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, plain(err)
	}
	defer func() { _ = response.Body.Close() }() // the answer is known
	// The status decides: a body that breaks off is as good as a short one.
	body, _ := io.ReadAll(io.LimitReader(response.Body, MaxAnswerBytes))
	return &Answer{
		Status: response.StatusCode, RetryAfter: c.retryAfter(response.Header.Get("Retry-After")), Body: body,
	}, nil
}

// plain says what went wrong without the address.
func plain(err error) error {
	if asked, ok := errors.AsType[*url.Error](err); ok {
		if asked.Timeout() {
			return fmt.Errorf("no answer in time: %w", context.DeadlineExceeded)
		}
		err = asked.Err
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

// retryAfter reads the header: seconds, or a moment.
func (c *Client) retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(MaxRetryAfter/time.Second))) * time.Second
	}
	if moment, err := http.ParseTime(text); err == nil {
		return min(max(moment.Sub(c.clock()), 0), MaxRetryAfter)
	}
	return 0
}
