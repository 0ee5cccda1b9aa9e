// Package api is what the endpoints of every feature are made of: the endpoint table with who may
// call, the call with its caller and store, lists, and the formats of the wire.
package api

import (
	"net/http"
	"sync"
	"time"

	"punchcard/api/access"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/limit"
	"punchcard/platform/web"
)

// Endpoint is one row of the endpoint table. What describes it stands beside it, in what the handler uses itself.
type Endpoint struct {
	Method string
	Path   string // ServeMux pattern; {storeCode} makes it an endpoint of a store
	Access access.Rule
	Handle func(*Call) error

	Section string            // code of the specification, shown in docs/endpoints.md
	Summary string            // what it does, in one line
	Query   func(*form.Group) // reads the query as the handler does
	Form    func(*form.Group) // reads the body as the handler does
	Answer  any               // a value of the type of the answer's body; nil for an empty one
	Also    map[int]any       // further answers by status, beside those of faults

	// Unkeyed endpoints pass over an Idempotency-Key: they write nothing, or answer with what is never stored.
	Unkeyed bool
	// Stepwise ones make each write durable by itself; of those with a key the answer is stored after the last.
	Stepwise bool
}

// NoContent as an Answer stands for 204.
type NoContent struct{}

// Media as an Answer stands for a body that is not JSON, by its media type.
type Media string

// Call is one authenticated request.
type Call struct {
	*web.Request
	Caller *access.Caller // nil when nobody logged in, which only public endpoints see
	Store  *store.Store   // nil on paths without a store

	server     *Server
	rule       access.Rule
	idempotent *idempotentCall // nil without an Idempotency-Key
}

// Server answers the endpoints.
type Server struct {
	DB           *db.DB
	Stores       *store.Directory
	ResultWindow int // last position of a list that can be reached
	// Authenticate names the sender; nil without an error when there are no credentials.
	Authenticate func(*web.Request) (*access.Caller, error)
	CallerLimit  *limit.Limiter // of all calls of one user, with any token; nil for none

	running sync.Map // digests of the requests with an Idempotency-Key that this node is answering, by their keys
}

// Routes binds the endpoints to the server.
func (s *Server) Routes(endpoints []Endpoint) []web.Route {
	routes := make([]web.Route, len(endpoints))
	for i, endpoint := range endpoints {
		routes[i] = web.Route{Method: endpoint.Method, Path: endpoint.Path, Handle: func(r *web.Request) error {
			call, err := s.admit(r, endpoint.Access)
			if err != nil {
				return err
			}
			return s.respond(call, &endpoint)
		}}
	}
	return routes
}

// admit checks in the contract's order: credentials (401), role (403), store (404), and the store of
// the caller (403).
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
	}
	if err := rule.Check(call.Caller); err != nil {
		return nil, err
	}
	code := r.PathValue("storeCode")
	if code == "" {
		return call, nil
	}
	found := false
	if call.Store, found, err = s.Stores.ByCode(r.Context(), code); err != nil {
		return nil, err
	}
	if !found {
		return nil, fault.ErrNotFound
	}
	if !rule.Anyone && call.Caller.Role != access.Administrator && call.Caller.StoreKey != call.Store.Key {
		return nil, fault.ErrForbidden
	}
	return call, nil
}

// Recheck verifies the credentials of a call that lasts once more, and refuses a caller who may not make it any
// longer. Caller is then as of now.
func (c *Call) Recheck() error {
	caller, err := c.server.Authenticate(c.Request)
	if err != nil {
		return err
	}
	c.Caller = caller
	return c.rule.Check(caller)
}

// DB is the database of the call's server.
func (c *Call) DB() *db.DB { return c.server.DB }

// Stores knows all stores and languages.
func (c *Call) Stores() *store.Directory { return c.server.Stores }

// Now is the present moment by the clock of the call's store.
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

// Read runs a reading operation.
func (c *Call) Read(run func(tx *db.Tx) error) error {
	if c.idempotent.hasWritten() {
		return c.idempotent.pending.Read(c.inTime(run))
	}
	return c.server.DB.Read(c.Context(), c.inTime(run))
}

// Write runs an operation whose effect is durable when Write returns or, with an Idempotency-Key, when the call is
// answered: then all that the call writes is one transaction, and nothing of it is stored when the call fails.
func (c *Call) Write(run func(tx *db.Tx) error) error {
	if c.idempotent != nil && !c.idempotent.stepwise {
		return c.idempotent.write(c, c.inTime(run))
	}
	return c.server.DB.Write(c.Context(), c.inTime(run))
}

// Take counts the call against a limit, and tells the caller what is left of it.
func (c *Call) Take(l *limit.Limiter, key string) error {
	remaining, err := l.Take(key, c.server.DB.Now())
	remaining.SetHeaders(c.ResponseHeader())
	return err
}

// Locale is the language asked for by _locale, or the default one, with which texts are chosen.
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

// OK answers 200 with v as JSON.
func (c *Call) OK(v any) error { return c.JSON(http.StatusOK, v) }

// Encoded answers 200 with a body that is JSON already.
func (c *Call) Encoded(body []byte) error { return c.Bytes(http.StatusOK, "application/json", body) }

// Done answers 200 without a body.
func (c *Call) Done() error { return c.Empty(http.StatusOK) }
