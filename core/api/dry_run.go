package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/idempotency"
)

// DryRunHeader is the header of a dry run, in its request and its response: docs/behaviour/dry-run.md.
const DryRunHeader = "Dry-Run"

// DryRunsOfCaller is how many dry runs of one caller a node handles at once.
const DryRunsOfCaller = 64

// Secret is the text in the place of codes, tokens, links and passwords in the response to a dry run.
const Secret = "dry-run"

// Errors of dry runs.
var (
	ErrDryRunHeader = fault.New(fault.Invalid, "dry_run_header_invalid", "The header Dry-Run must be sent once, as true.")
	ErrNoDryRun     = fault.New(fault.Unprocessable, "no_dry_run", "A call that %s has no dry run.")
	ErrDryRuns      = fault.New(fault.Limited, "too_many_dry_runs", "").After(time.Second)
)

// Final is the reason why a call has no dry run, such as LogsIn: it cannot be undone, or guesses in it have to count.
// The empty text means that it has one.
type Final string

// Reasons why a call has no dry run. They complete the sentence "A call that ... has no dry run."
const (
	LogsIn        Final = "gives, checks or ends a session or a token"
	HasPassword   Final = "changes a password, a PIN or a second factor, or tries a code for it"
	Uploads       Final = "sends a file or steers an import"
	CallsProvider Final = "calls another server"
	RunsJobs      Final = "runs background work"
)

// HasDryRun reports whether the endpoint writes and can be tried without effect. Uploads cannot.
func (e *Endpoint) HasDryRun() bool { return e.Method != http.MethodGet && e.final() == "" }

func (e *Endpoint) final() Final {
	if e.UploadBytes > 0 {
		return Uploads
	}
	return e.NoDryRun
}

// isDry reads the header Dry-Run, a structured boolean or the word true.
func (c *Call) isDry() (bool, error) {
	lines := c.Header[DryRunHeader]
	switch {
	case lines == nil:
		return false, nil
	case len(lines) == 1 && (lines[0] == "true" || lines[0] == "?1"):
		return true, nil
	}
	return false, ErrDryRunHeader
}

// dryRun runs a handler without effect, and responds with what it would respond. An Idempotency-Key is only checked.
func (s *Server) dryRun(c *Call, e *Endpoint, handle func(*Call) error) error {
	c.ResponseHeader()[DryRunHeader] = []string{"true"}
	if why := e.final(); why != "" {
		return ErrNoDryRun.With(why)
	}
	if err := s.dryRuns.enter(c.callerKey()); err != nil {
		return err
	}
	defer s.dryRuns.leave(c.callerKey())
	if lines := c.Header[idempotency.Header]; lines != nil && e.Keyed() {
		if _, err := idempotency.ParseKey(lines); err != nil {
			return err
		}
	}
	_, _ = c.Body() // nothing waits for a slow client; the handler that reads it gets the error
	c.Hold()
	var effects any
	err := s.DB.DryRun(c.Context(), func(ctx context.Context) error {
		request := c.Request.Request
		c.Request.Request = request.WithContext(ctx)
		defer func() { c.Request.Request = request }()
		err := handle(c)
		if err == nil && c.acceptsEffects() {
			effects = c.effects(db.Recorded(ctx))
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case effects != nil:
		err = c.sendEffects(effects)
	default:
		err = c.hide(e.Secrets)
	}
	return c.release(err)
}

// hide replaces the secrets in the response that is held.
func (c *Call) hide(members []string) error {
	status, body := c.Held()
	if len(members) == 0 || len(body) == 0 {
		return nil
	}
	hidden, err := hideMembers(body, members)
	if err != nil {
		return err
	}
	header := c.ResponseHeader()
	mediaType, location := header.Get("Content-Type"), header.Get("Location")
	c.Hold()
	if location != "" {
		header.Set("Location", location)
	}
	return c.Bytes(status, mediaType, hidden)
}

// hideMembers replaces each text in the members of some names, at any depth of a JSON text. Other bytes stay.
func hideMembers(body []byte, names []string) ([]byte, error) {
	reader := json.NewDecoder(bytes.NewReader(body))
	out := make([]byte, 0, len(body))
	for copied := 0; ; {
		token, err := reader.Token()
		if errors.Is(err, io.EOF) {
			return append(out, body[copied:]...), nil
		}
		if err != nil {
			return nil, err
		}
		name, is := token.(string)
		if !is || !slices.Contains(names, name) || !followedBy(body[reader.InputOffset():], ':') {
			continue
		}
		out = append(out, body[copied:reader.InputOffset()]...)
		var value json.RawMessage
		if err := reader.Decode(&value); err != nil {
			return nil, err
		}
		out = append(append(out, ':'), texts.ReplaceAll(value, hidden)...)
		copied = int(reader.InputOffset())
	}
}

var (
	texts  = regexp.MustCompile(`"(?:[^"\\]|\\.)+"`)
	hidden = []byte(strconv.Quote(Secret))
)

// followedBy reports whether the first byte that is no space is the given one.
func followedBy(rest []byte, b byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == b
}

// callerKey identifies the caller, or the network of one without credentials.
func (c *Call) callerKey() string {
	if c.Caller == nil {
		return c.ClientNetwork()
	}
	return c.Caller.ID
}

// dryRuns counts the dry runs of each caller that are handled now.
type dryRuns struct {
	mutex sync.Mutex
	of    map[string]int
}

func (t *dryRuns) enter(caller string) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.of[caller] >= DryRunsOfCaller {
		return ErrDryRuns
	}
	if t.of == nil {
		t.of = map[string]int{}
	}
	t.of[caller]++
	return nil
}

func (t *dryRuns) leave(caller string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.of[caller]--; t.of[caller] == 0 {
		delete(t.of, caller)
	}
}
