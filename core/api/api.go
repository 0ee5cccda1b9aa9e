// Package api has what the endpoints of all features have in common: the endpoint table with its access rules, the call
// with its caller and store, lists, and formats.
package api

import (
	"errors"
	"net/http"
	"time"

	"punchcard/core/access"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/limit"
	"punchcard/platform/web"
)

// Endpoint is a row of the endpoint table. Its description uses the same functions and types as the handler.
type Endpoint struct {
	Method string
	Path   string // ServeMux pattern; {storeCode} makes it an endpoint of a store
	Access access.Rule
	// Do is the operation. It gives Handle, Query, Form and Response. They are set only where an endpoint streams, takes a
	// large file, or redirects.
	Do     Operation
	Handle func(*Call) error

	Summary  string            // what it does, in a few words
	Query    func(*form.Group) // reads the query like the handler
	Form     func(*form.Group) // reads the body like the handler
	Response any               // a value of the type of the response body; nil for an empty body
	Also     map[int]any       // bodies of further responses by status, apart from errors

	// Audit names a successful call in the audit log. Routes panics if an endpoint that writes has no name.
	Audit Audit
	// NoDryRun is the reason why the header Dry-Run is refused; empty if the call can be tried.
	NoDryRun Final
	// Secrets are the members of the response, at any depth, that hold codes, tokens, links or passwords which the call
	// makes. A dry run hides them, because what it shows there would never work.
	Secrets []string

	// Unkeyed endpoints ignore an Idempotency-Key: they write nothing, or their responses must not be stored.
	Unkeyed bool
	// UploadBytes is the size of the largest body, if the handler reads bodies above form.MaxBodyBytes by Upload. The
	// handler then deals with an Idempotency-Key itself: it calls UploadKey after the last byte.
	UploadBytes int64
	// Factor decides whether a call needs a second factor. Routes panics if an endpoint that writes has none.
	Factor Factor
	// Stepwise endpoints commit each write by itself, and store the response to a key after the last one.
	Stepwise bool
}

// NoContent is the Response of endpoints that respond with 204.
type NoContent struct{}

// Media is the Response of endpoints with a body that is not JSON: its media types, separated by a comma and a space.
type Media string

// Call is an authenticated request.
type Call struct {
	*web.Request
	Caller *access.Caller // nil without credentials, on public endpoints only
	Store  *store.Store   // nil on paths without a store

	server     *Server
	rule       access.Rule
	at         time.Time // that Read sees; zero for the present
	named      Audit
	written    bool            // a step of the call is durable
	idempotent *idempotentCall // nil without an Idempotency-Key
}

// Server serves the endpoints.
type Server struct {
	DB           *db.DB
	Stores       *store.Directory
	ResultWindow int // last position of a list that can be reached
	// Authenticate returns the caller; nil and no error if there are no credentials.
	Authenticate func(*web.Request) (*access.Caller, error)
	// StepUp refuses a caller who has to use a second factor first; nil refuses nobody.
	StepUp func(*Call) error
	// StepUpPoints does the same if the caller moves many points, in hundredths. It counts them if count is set.
	StepUpPoints func(c *Call, hundredths int64, count bool) error
	CallerLimit  *limit.Limiter  // of all calls of one user, with any token; nil for no limit
	KeyLimit     *limit.Varying  // of the calls of one API key, each with its own rate; nil for no limit
	Audit        *audit.Deferred // gets views of customers; nil for nowhere
	// AuditObjects read the objects of entity types, to record what changed.
	AuditObjects map[string]audit.Object
	// Effects are the lists of the effects of dry runs.
	Effects []*Effect
	// CustomerID returns the id of the customer that a path names, empty if there is none.
	CustomerID func(tx *db.Tx, s *store.Store, named string) (string, error)

	dryRuns dryRuns
	running running
}

// Routes returns the routes of endpoints that Complete has returned. It panics if one lacks a declaration.
func (s *Server) Routes(endpoints []Endpoint) []web.Route {
	routes := make([]web.Route, len(endpoints))
	replacements := map[string]replacement{} // of what a GET of their path shows
	for i := range endpoints {
		if e := &endpoints[i]; e.Replaces() {
			replacements[e.Path] = replacement{e.Audit, e.Access}
		}
	}
	for i, endpoint := range endpoints {
		endpoint.check()
		endpoint.onlyKnown()
		strictly := endpoint.strictly()
		shown, isTagged := replacements[endpoint.Path]
		isTagged = isTagged && endpoint.Method == http.MethodGet
		handle := func(r *web.Request) error {
			call, err := s.admit(r, endpoint.Access)
			if err != nil {
				return err
			}
			call.named = endpoint.Audit
			call.preferTimes()
			if err := strictly(call); err != nil {
				return err
			}
			if ask := endpoint.Factor.ask; ask != nil {
				if err := ask(call); err != nil {
					return err
				}
			}
			if isTagged && shown.mayBeBy(call.Caller) {
				if err := call.tag(shown.named); err != nil {
					return err
				}
			}
			return s.respond(call, &endpoint)
		}
		routes[i] = web.Route{
			Method: endpoint.Method, Path: endpoint.Path, Handle: handle, UploadBytes: endpoint.UploadBytes,
		}
	}
	return routes
}

// admit checks credentials (401), role (403), store (404), and the caller's store (403), in this order:
// docs/behaviour/requests.md#order-of-checks.
func (s *Server) admit(r *web.Request, rule access.Rule) (*Call, error) {
	call := &Call{Request: r, server: s, rule: rule}
	caller, err := s.Authenticate(r)
	if err != nil && !rule.Anyone {
		return nil, err
	}
	if err == nil && caller != nil {
		call.Caller = caller
		if err := call.Take(s.CallerLimit, caller.ID); err != nil {
			return nil, err
		}
		if err := call.TakeKey(caller); err != nil {
			return nil, err
		}
	}
	code, found := r.PathValue("storeCode"), false
	if code != "" {
		if call.Store, found, err = s.Stores.ByCode(r.Context(), code); err != nil {
			return nil, err
		}
	}
	if found {
		call.Caller = call.Caller.In(call.Store.Key)
	}
	if err := rule.Check(call.Caller); err != nil {
		return nil, err
	}
	switch {
	case code == "":
		return call, rule.CheckStore(call.Caller, 0)
	case !found:
		return nil, fault.ErrNotFound
	}
	return call, rule.CheckStore(call.Caller, call.Store.Key)
}

// Recheck verifies the credentials of a long call again, and refuses a caller who may no longer make it. It updates
// Caller.
func (c *Call) Recheck() error {
	caller, err := c.server.Authenticate(c.Request)
	if err != nil {
		return err
	}
	if c.Store != nil {
		caller = caller.In(c.Store.Key)
	}
	c.Caller = caller
	if err := c.rule.Check(caller); err != nil || c.Store == nil {
		return err
	}
	return c.rule.CheckStore(caller, c.Store.Key)
}

// DB returns the database.
func (c *Call) DB() *db.DB { return c.server.DB }

// Stores returns the directory of stores and languages.
func (c *Call) Stores() *store.Directory { return c.server.Stores }

// Now returns the present moment by the clock of the call's store.
func (c *Call) Now() time.Time {
	now := c.server.DB.Now()
	if c.Store != nil {
		now = now.Add(c.Store.Ahead)
	}
	return now
}

// inTime gives an operation the clock of the call's store.
func (c *Call) inTime(run func(tx *db.Tx) error) func(tx *db.Tx) error {
	if c.Store == nil || c.Store.Ahead == 0 {
		return run
	}
	return func(tx *db.Tx) error { return run(c.Store.Tx(tx)) }
}

// Read runs an operation that only reads.
func (c *Call) Read(run func(tx *db.Tx) error) error {
	if c.Moved() {
		return c.readAt(run)
	}
	return c.server.DB.Read(c.Context(), c.inTime(run))
}

// Write runs the operation of a call and then respond, in one transaction, which also stores the entry of the audit log
// and, with an Idempotency-Key, the response. When Write returns, the effect is durable, and the response is sent when
// the handler returns. Both functions may run again, when the transaction has to be repeated. A call writes once.
func (c *Call) Write(run func(tx *db.Tx) error, respond func() error) error {
	run = c.inTime(c.audited(run))
	whole := func(tx *db.Tx) error {
		c.Hold()
		if err := run(tx); err != nil {
			return err
		}
		return respond()
	}
	if c.idempotent == nil {
		return c.server.DB.Write(c.Context(), whole)
	}
	err := c.server.DB.Write(c.Context(), func(tx *db.Tx) error { return c.idempotent.write(c, tx, whole) })
	c.idempotent.stored = err == nil
	return err
}

var errStep = errors.New("api: an endpoint that is not Stepwise has taken a step under an Idempotency-Key")

// Step runs one of several operations of a Stepwise call, or one of a call without Idempotency-Key, whose response
// needs no transaction. Its effect is durable when Step returns. The first writes the entry of the audit log.
func (c *Call) Step(run func(tx *db.Tx) error) error {
	if c.idempotent != nil && !c.idempotent.stepwise {
		return errStep
	}
	err := c.server.DB.Write(c.Context(), c.inTime(c.audited(run)))
	c.written = c.written || err == nil
	return err
}

// Take counts the call against a limit, and sets the headers that show the rest of it.
func (c *Call) Take(l *limit.Limiter, key string) error {
	remaining, err := l.Take(key, c.server.DB.Now())
	remaining.SetHeaders(c.ResponseHeader())
	return err
}

// TakeKey counts the call against the limit of a caller's API key.
func (c *Call) TakeKey(caller *access.Caller) error {
	if caller.Key == nil {
		return nil
	}
	remaining, err := c.server.KeyLimit.Take(caller.ID, caller.Key.Rate, c.server.DB.Now())
	remaining.SetHeaders(c.ResponseHeader())
	return err
}

// Locale returns the language of the query parameter _locale, or the default language.
func (c *Call) Locale() (Locale, error) {
	languages, err := c.server.Stores.Languages(c.Context())
	if err != nil {
		return Locale{}, err
	}
	query, err := c.Query()
	if err != nil {
		return Locale{}, err
	}
	locale := Locale{Default: languages.Default()}
	if locale.Wanted = query.Child("_locale").Text(); locale.Wanted == "" {
		locale.Wanted = locale.Default
	}
	return locale, nil
}

// OK responds with 200 and v as JSON.
func (c *Call) OK(v any) error { return c.JSON(http.StatusOK, v) }

// Encoded responds with 200 and a body that is JSON already.
func (c *Call) Encoded(body []byte) error { return c.Bytes(http.StatusOK, "application/json", body) }

// Done responds with 200 and no body.
func (c *Call) Done() error { return c.Empty(http.StatusOK) }
