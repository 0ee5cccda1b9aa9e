package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"punchcard/lab/rest"
)

// outcome is the result of a call, as far as its client knows.
type outcome int

const (
	unsent       outcome = iota // no connection was made
	unknown                     // sent, without a conclusive response: none, or one that says to try again
	acknowledged                // answered with status 200
	refused                     // the response says that nothing happened
)

// call is one request that writes, with its outcome.
type call struct {
	method, path, token string
	form                url.Values
	file                string // CSV of an import, sent in place of the form
	key                 string // its Idempotency-Key
	client              int    // number of the client, for histories

	// What a successful call stores: this many facts of this kind, with the ids in its response.
	fact  string
	units int
	// ids reads the ids from the body of a response with status 200.
	ids func(body []byte) ([]string, error)

	moves []move      // changes to the balances of customers
	facts []string    // that an import stores, one of each, whose ids its response does not have
	shelf *shelfInput // operation on the campaign with codes, or nil

	sent, answered time.Time // start of the first attempt, end of the last
	last           time.Time // start of the last attempt; zero before the second
	outcome        outcome
	status         int
	body           string // of a refusal
	named          []string
	replayed       bool // the response was the stored one of an earlier attempt
	ended          bool // the import is carried out
	late           bool // acknowledged when it was repeated, after all others
}

func (c *call) String() string {
	return fmt.Sprintf("%s %s %s: %d %s", c.method, c.path, c.form.Encode(), c.status, c.body)
}

// send makes one attempt and records the outcome.
func (c *call) send(ctx context.Context, through *http.Client, base string) error {
	text, mediaType := c.form.Encode(), "application/x-www-form-urlencoded"
	if c.file != "" {
		var err error
		if text, mediaType, err = upload(c.file); err != nil {
			return err
		}
	}
	// A plain reader cannot be read twice, so the transport does not repeat the request by itself.
	request, err := http.NewRequestWithContext(ctx, c.method, base+c.path, io.NopCloser(strings.NewReader(text)))
	if err != nil {
		return err
	}
	request.ContentLength = int64(len(text))
	request.Header.Set("Content-Type", mediaType)
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Idempotency-Key", c.key)
	request.Header.Set("Prefer", "respond-async") // imports respond with their id, and go on
	c.begin(time.Now())
	defer func() { c.answered = time.Now() }()
	response, err := through.Do(request)
	if err != nil {
		c.outcome, c.status = unknown, 0
		var network *net.OpError
		if errors.As(err, &network) && network.Op == "dial" && c.last.IsZero() {
			c.outcome = unsent
		}
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		c.outcome, c.status = unknown, 0
		return nil
	}
	c.status, c.replayed = response.StatusCode, response.Header.Get("Idempotent-Replayed") == "true"
	switch {
	case c.file == "" && c.status == http.StatusOK || c.file != "" && c.status == http.StatusAccepted:
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
		c.outcome = unknown // a server that lost its database cannot know whether it was stored
	case c.status == http.StatusInternalServerError:
		c.outcome = unknown
		return fmt.Errorf("%v: %s", c, body)
	default:
		c.outcome, c.body = refused, string(body)
	}
	return nil
}

// upload returns the body of a request with a file. It is the same each time, as a repeated request must be.
func upload(content string) (body, mediaType string, err error) {
	var text strings.Builder
	form := multipart.NewWriter(&text)
	err = form.SetBoundary("soak")
	if err == nil {
		var file io.Writer
		if file, err = form.CreateFormFile("file[file]", "points.csv"); err == nil {
			_, err = io.WriteString(file, content)
		}
	}
	err = errors.Join(err, form.Close())
	return text.String(), form.FormDataContentType(), err
}

// begin records the start of an attempt.
func (c *call) begin(now time.Time) {
	if c.sent.IsZero() {
		c.sent = now
	} else {
		c.last = now
	}
}

// idIn reads one id by the name of its member.
func idIn(member string) func(body []byte) ([]string, error) {
	return func(body []byte) ([]string, error) {
		id, err := rest.ID(body, member)
		return []string{id}, err
	}
}

// fixedID is for calls whose response has no ids that the caller did not send.
func fixedID(id string) func([]byte) ([]string, error) {
	return func([]byte) ([]string, error) { return []string{id}, nil }
}

// couponsIn reads the id and the code of each coupon sold.
func couponsIn(body []byte) (ids []string, err error) {
	var result struct{ Coupons []struct{ ID, Code string } }
	err = json.Unmarshal(body, &result)
	for _, coupon := range result.Coupons {
		ids = append(ids, coupon.ID+" "+coupon.Code)
	}
	return ids, err
}
