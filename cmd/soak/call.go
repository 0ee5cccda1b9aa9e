package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// outcome is what a client knows of a call.
type outcome int

const (
	unsent       outcome = iota // no connection was made
	unknown                     // sent, and no answer came that promises anything: none at all, or to try again
	acknowledged                // answered with status 200
	refused                     // answered that nothing happened
)

// call is one request that writes, and what became of it.
type call struct {
	method, path, token string
	form                url.Values
	key                 string // its Idempotency-Key
	client              int    // who calls, for histories

	// What the call leaves behind when it succeeds: so many facts of this kind, with the ids that its answer names.
	fact  string
	units int
	// ids reads them from the body of an answer with status 200.
	ids func(body []byte) ([]string, error)

	moves []move      // what it does to the balances of customers
	shelf *shelfInput // what it does to the campaign with codes; nil for nothing

	sent, answered time.Time // the first try, and the end of the last
	last           time.Time // the last try; zero before the second
	outcome        outcome
	status         int
	body           string // of a refusal
	named          []string
	replayed       bool // the answer was the stored one of an earlier try
	late           bool // done when it was sent again, after all others
}

func (c *call) String() string {
	return fmt.Sprintf("%s %s %s: %d %s", c.method, c.path, c.form.Encode(), c.status, c.body)
}

// maxAnswerBytes bounds what is read of an answer.
const maxAnswerBytes = 64 << 20

// answerTimeout is longer than any time limit of the server.
const answerTimeout = 60 * time.Second

func newClient(connections int) *http.Client {
	return &http.Client{Timeout: answerTimeout, Transport: &http.Transport{
		MaxIdleConnsPerHost: connections, MaxIdleConns: connections, IdleConnTimeout: answerTimeout,
	}}
}

// send asks once and notes what came back.
func (c *call) send(ctx context.Context, client *http.Client, base string) error {
	text := c.form.Encode()
	// A plain reader cannot be read twice, so that the transport does not repeat the request by itself.
	request, err := http.NewRequestWithContext(ctx, c.method, base+c.path, io.NopCloser(strings.NewReader(text)))
	if err != nil {
		return err
	}
	request.ContentLength = int64(len(text))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Idempotency-Key", c.key)
	c.begin(time.Now())
	defer func() { c.answered = time.Now() }()
	response, err := client.Do(request)
	if err != nil {
		c.outcome, c.status = unknown, 0
		var network *net.OpError
		if errors.As(err, &network) && network.Op == "dial" && c.last.IsZero() {
			c.outcome = unsent
		}
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err != nil {
		c.outcome, c.status = unknown, 0
		return nil
	}
	c.status, c.replayed = response.StatusCode, response.Header.Get("Idempotent-Replayed") == "true"
	switch {
	case c.status == http.StatusOK:
		c.outcome = acknowledged
		if c.named, err = c.ids(body); err == nil && len(c.named) != c.units {
			err = errors.New("another number of ids than was asked for")
		}
		if err != nil {
			return fmt.Errorf("%v: %w: %s", c, err, body)
		}
	case c.status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "":
		return fmt.Errorf("%v: no Retry-After", c)
	case c.status == http.StatusServiceUnavailable || c.status == http.StatusConflict:
		c.outcome = unknown // whether it was stored, a server that lost its database cannot know
	case c.status == http.StatusInternalServerError:
		c.outcome = unknown
		return fmt.Errorf("%v: %s", c, body)
	default:
		c.outcome, c.body = refused, string(body)
	}
	return nil
}

// begin notes the time of a try.
func (c *call) begin(now time.Time) {
	if c.sent.IsZero() {
		c.sent = now
	} else {
		c.last = now
	}
}

// get reads a JSON answer, which must have status 200.
func get(ctx context.Context, client *http.Client, address, token string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s answers %s: %s", address, response.Status, body)
	}
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	return err
}

// idIn reads one id by the name of its member.
func idIn(member string) func(body []byte) ([]string, error) {
	return func(body []byte) ([]string, error) {
		var answer map[string]any
		if err := json.Unmarshal(body, &answer); err != nil {
			return nil, err
		}
		id, _ := answer[member].(string)
		if id == "" {
			return nil, fmt.Errorf("no %s", member)
		}
		return []string{id}, nil
	}
}

// known is for calls whose answer names nothing that the caller did not say.
func known(id string) func([]byte) ([]string, error) {
	return func([]byte) ([]string, error) { return []string{id}, nil }
}

// couponsIn reads what was sold: id and code of each coupon.
func couponsIn(body []byte) (ids []string, err error) {
	var answer struct{ Coupons []struct{ ID, Code string } }
	err = json.Unmarshal(body, &answer)
	for _, coupon := range answer.Coupons {
		ids = append(ids, coupon.ID+" "+coupon.Code)
	}
	return ids, err
}
