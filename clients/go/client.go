// Package client calls the API of Punchcard, a loyalty platform. It needs the standard library only.
package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The defaults of a Client.
const (
	Retries      = 4
	LongestPause = 30 * time.Second
)

// Client calls a server with the secret of a key for programs, or with the token of a log-in.
type Client struct {
	URL   string // of the server, such as https://loyalty.example.com
	Token string
	Store string // code of the store that takes the place of {store} in paths

	Retries      int           // of a call that was refused for now; 0 for the default, negative for none
	LongestPause time.Duration // before a repetition; a longer Retry-After ends the call; 0 for the default
	Lenient      bool          // let the server ignore names that it does not know, instead of refusing them
	HTTP         *http.Client  // nil for http.DefaultClient
}

// Params are values of the path and of the query. Lists are sent with brackets behind their names.
type Params map[string]any

// Call is a request.
type Call struct {
	Params Params
	Body   any // is sent as JSON; nil for none
	Into   any // gets the JSON of the response; nil to ignore it
	// IdempotencyKey identifies a write. By default each call makes a random one, which its repetitions keep.
	IdempotencyKey string
	Header         http.Header
}

// Error is an error that the server answered with, as RFC 9457 describes it.
type Error struct {
	Status    int          `json:"status"`
	Code      string       `json:"code"`
	Detail    string       `json:"detail"`
	Errors    []FieldError `json:"errors"`
	RequestID string       `json:"requestId"`
}

// FieldError is a field of the request that is wrong.
type FieldError struct {
	Detail  string `json:"detail"`
	Pointer string `json:"pointer"`
	Code    string `json:"code"`
}

// Error returns the status, the code and the detail.
func (e *Error) Error() string {
	return fmt.Sprintf("punchcard: %d %s: %s", e.Status, e.Code, e.Detail)
}

// Get reads the response of a path into a value.
func (c *Client) Get(ctx context.Context, path string, params Params, into any) error {
	return c.Do(ctx, http.MethodGet, path, Call{Params: params, Into: into})
}

// Post sends a body, and reads the response into a value.
func (c *Client) Post(ctx context.Context, path string, params Params, body, into any) error {
	return c.Do(ctx, http.MethodPost, path, Call{Params: params, Body: body, Into: into})
}

// Put sends a body, and reads the response into a value.
func (c *Client) Put(ctx context.Context, path string, params Params, body, into any) error {
	return c.Do(ctx, http.MethodPut, path, Call{Params: params, Body: body, Into: into})
}

// Delete calls a path, and reads the response into a value.
func (c *Client) Delete(ctx context.Context, path string, params Params, into any) error {
	return c.Do(ctx, http.MethodDelete, path, Call{Params: params, Into: into})
}

// Do makes a call. A write is repeated with its key only, so that it takes effect once.
func (c *Client) Do(ctx context.Context, method, path string, call Call) error {
	address, err := c.address(path, call.Params)
	if err != nil {
		return err
	}
	header := http.Header{}
	for name, values := range call.Header {
		header[name] = append([]string(nil), values...)
	}
	header.Set("Accept", "application/problem+json, application/json;q=0.9, */*;q=0.8")
	header.Set("Authorization", "Bearer "+c.Token)
	if !c.Lenient {
		header.Add("Prefer", "handling=strict")
	}
	if method != http.MethodGet {
		key := call.IdempotencyKey
		if key == "" {
			key = newKey()
		}
		header.Set("Idempotency-Key", key)
	}
	var body []byte
	if call.Body != nil {
		header.Set("Content-Type", "application/json")
		if body, err = json.Marshal(call.Body); err != nil {
			return err
		}
	}
	content, err := c.send(ctx, method, address, header, body)
	if err != nil || call.Into == nil || len(content) == 0 {
		return err
	}
	if raw, is := call.Into.(*[]byte); is { // of a response that is no JSON
		*raw = content
		return nil
	}
	return json.Unmarshal(content, call.Into)
}

func newKey() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

func (c *Client) address(path string, params Params) (string, error) {
	query := url.Values{}
	for name, value := range params {
		if values, isList := value.([]string); isList {
			query[name+"[]"] = values
		} else {
			query.Set(name, fmt.Sprint(value))
		}
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if !strings.HasPrefix(segment, "{") {
			continue
		}
		name := strings.Trim(segment, "{}")
		value := query.Get(name)
		if value == "" && name == "store" {
			value = c.Store
		}
		if value == "" {
			return "", fmt.Errorf("punchcard: %s needs %s", path, name)
		}
		query.Del(name)
		segments[i] = url.PathEscape(value)
	}
	address := strings.TrimSuffix(c.URL, "/") + strings.Join(segments, "/")
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address, nil
}

// send sends a request, again after a pause if it did not arrive or was refused for now.
func (c *Client) send(ctx context.Context, method, address string, header http.Header, body []byte) ([]byte, error) {
	retries, longest, with := c.Retries, c.LongestPause, c.HTTP
	if retries == 0 {
		retries = Retries
	}
	if longest == 0 {
		longest = LongestPause
	}
	if with == nil {
		with = http.DefaultClient
	}
	for tried := 0; ; tried++ {
		request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header = header
		pause := time.Duration(float64(min(longest, 250*time.Millisecond<<tried)) * (0.5 + mathrand.Float64()/2))
		content, after, err := answer(with.Do(request))
		if err == nil || tried >= retries || ctx.Err() != nil {
			return content, err
		}
		if refused, is := err.(*Error); is && !temporary(refused.Status, after) {
			return nil, err
		}
		if seconds, wrong := strconv.Atoi(after); wrong == nil {
			pause = time.Duration(seconds) * time.Second
		}
		if pause > longest {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func temporary(status int, retryAfter string) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return status == http.StatusConflict && retryAfter != ""
}

// answer reads a response, and returns an Error for a status that is none of success.
func answer(response *http.Response, err error) (content []byte, retryAfter string, _ error) {
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	if content, err = io.ReadAll(response.Body); err != nil {
		return nil, "", err
	}
	if response.StatusCode < 300 {
		return content, "", nil
	}
	refused := &Error{Detail: http.StatusText(response.StatusCode), RequestID: response.Header.Get("X-Request-Id")}
	_ = json.Unmarshal(content, refused) // a proxy answers with other content
	refused.Status = response.StatusCode
	return nil, response.Header.Get("Retry-After"), refused
}
