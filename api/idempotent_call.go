package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/idempotency"
	"punchcard/platform/web"
)

// Keyed tells whether the endpoint writes, so that an Idempotency-Key counts and blocked customers are refused.
func (e *Endpoint) Keyed() bool { return e.Method != http.MethodGet && !e.Unkeyed }

// idempotentCall is a call with an Idempotency-Key: it takes effect idempotentCall, however often it is sent. From its first write on, it
// is one transaction, in which its answer is stored before it is sent.
type idempotentCall struct {
	request   *idempotency.Request
	stepwise  bool             // its writes are not one
	delegated bool             // an operation keeps the answer with its effect
	pending   *db.Pending      // from the first write on
	keys      *idempotency.Batch // as claimed by pending
	known     error            // what a write found out about the key; the handler's own answer does not count then
	after     []func()
}

// answer runs the endpoint's handler, once for each Idempotency-Key. A caller who may not write any more still gets
// the stored answers of what they wrote before.
func (s *Server) answer(c *Call, e *Endpoint) error {
	if !e.Keyed() {
		return e.Handle(c)
	}
	handle := func(c *Call) error {
		if err := e.Access.CheckWrite(c.Caller); err != nil {
			return err
		}
		return e.Handle(c)
	}
	lines := c.Header[idempotency.Header]
	if lines == nil {
		return handle(c)
	}
	request, err := c.keyed(lines)
	if err != nil {
		return err
	}
	c.idempotent = &idempotentCall{request: request, stepwise: e.Stepwise}
	if err := s.inTurn(c, handle); err != nil {
		return err
	}
	c.Release()
	return nil
}

// keyed names the request by its key and caller. Callers who are not logged in are one caller.
func (c *Call) keyed(lines []string) (*idempotency.Request, error) {
	key, err := idempotency.ParseKey(lines)
	if err != nil {
		return nil, err
	}
	body, err := c.BodySum()
	if err != nil {
		return nil, err
	}
	var storeKey int64
	if c.Store != nil {
		storeKey = c.Store.Key
	}
	var caller []string
	if c.Caller != nil {
		caller = []string{string(c.Caller.Role), c.Caller.ID}
	}
	// Providers of cashback send their message in a header named Content.
	return idempotency.NewRequest(storeKey, key, caller,
		c.Method, c.URL.EscapedPath(), c.URL.RawQuery, c.Header.Get("Content"), body), nil
}

// inTurn refuses a request that this node is answering, and leaves the answer to any other one held.
func (s *Server) inTurn(c *Call, handle func(*Call) error) error {
	r := c.idempotent.request
	name := strconv.FormatInt(r.StoreKey, 10) + " " + r.Key
	digest, running := s.running.LoadOrStore(name, r.Digest)
	switch {
	case !running:
		defer s.running.Delete(name)
		return c.idempotent.handle(c, handle)
	case digest != r.Digest:
		return idempotency.ErrReused
	}
	return idempotency.ErrInFlight
}

func (o *idempotentCall) handle(c *Call, handle func(*Call) error) error {
	if err := o.find(c); err != nil {
		return c.repeat(err)
	}
	defer o.rollback()
	c.Hold()
	err := handle(c)
	if o.known == nil {
		o.known = aboutKey(err)
	}
	switch {
	case o.known != nil:
		return c.repeat(o.known)
	case err != nil:
		o.rollback()
		return o.refuse(c, err)
	case o.pending != nil:
		return o.commit(c)
	case o.delegated:
		return nil
	}
	return o.keep(c)
}

// find returns what is known of the key before anything is done.
func (o *idempotentCall) find(c *Call) error {
	return c.server.DB.Read(c.Context(), func(tx *db.Tx) error {
		keys, err := idempotency.Find(tx, o.request)
		if err != nil {
			return err
		}
		return keys.Check(o.request)
	})
}

// claim keeps others with the key away until the transaction ends, and returns what is known of it.
func (o *idempotentCall) claim(tx *db.Tx) (err error) {
	if o.keys, err = idempotency.Claim(tx, o.request); err != nil {
		return err
	}
	o.known = o.keys.Check(o.request)
	return o.known
}

// began tells whether the call has written and not yet answered.
func (o *idempotentCall) began() bool { return o != nil && o.pending != nil }

func (o *idempotentCall) write(c *Call, run func(tx *db.Tx) error) (err error) {
	if o.pending != nil {
		return o.pending.Write(run)
	}
	o.pending, err = c.server.DB.Begin(c.Context(), func(tx *db.Tx) error {
		if err := o.claim(tx); err != nil {
			return err
		}
		return run(tx)
	})
	return err
}

// commit makes effect and answer durable together.
func (o *idempotentCall) commit(c *Call) error {
	_ = o.pending.Write(func(tx *db.Tx) error { return o.save(c, tx) }) // what fails, now or before, Commit returns
	if err := o.pending.Commit(); err != nil {
		return err
	}
	for _, f := range o.after {
		f()
	}
	return nil
}

func (o *idempotentCall) rollback() {
	if o.pending != nil {
		o.pending.Rollback()
	}
}

// refuse keeps the refusals that were decided by what is stored: when a first copy of the request comes late, it must
// not take effect after its sender was told no. What is wrong with the request itself is wrong again at any time, so
// it is not kept, and a corrected request may use the key. The same goes for a caller who may not, and for a server
// that cannot. Another node may have answered meanwhile: then that counts.
func (o *idempotentCall) refuse(c *Call, err error) error {
	switch fault.KindOf(err) {
	case fault.Refused, fault.NotFound, fault.Conflict:
		return o.keepRefusal(c, err)
	}
	if known := aboutKey(o.find(c)); known != nil {
		return c.repeat(known)
	}
	return err
}

// keepRefusal stores a refusal and responds with it, unless another node has responded meanwhile.
func (o *idempotentCall) keepRefusal(c *Call, err error) error {
	known, _ := errors.AsType[*fault.Error](err)
	stored, storeErr := storedRefusal(known)
	if storeErr == nil {
		storeErr = c.server.DB.Write(c.Context(), func(tx *db.Tx) error {
			if err := o.claim(tx); err != nil {
				return err
			}
			o.keys.Add(o.request, stored)
			return o.keys.Save(tx)
		})
	}
	if storeErr != nil {
		return c.repeat(storeErr)
	}
	c.Fail(err)
	return nil
}

// keep stores an answer without an effect, or with effects that are durable already, unless another node did.
func (o *idempotentCall) keep(c *Call) error {
	err := c.server.DB.Write(c.Context(), func(tx *db.Tx) error {
		if err := o.claim(tx); err != nil {
			return err
		}
		return o.save(c, tx)
	})
	return c.repeat(err)
}

func (o *idempotentCall) save(c *Call, tx *db.Tx) error {
	status, body := c.Held()
	header := c.ResponseHeader()
	o.keys.Add(o.request, idempotency.Response{
		Status: cmp.Or(status, http.StatusOK), ContentType: header.Get("Content-Type"), Location: header.Get("Location"),
		Body: string(body),
	})
	return o.keys.Save(tx)
}

// aboutKey is err if it tells about a key, and nil otherwise.
func aboutKey(err error) error {
	if _, is := errors.AsType[*idempotency.Replay](err); is ||
		errors.Is(err, idempotency.ErrReused) || errors.Is(err, idempotency.ErrInFlight) {
		return err
	}
	return nil
}

// repeat answers as before, when err holds that answer; other errors it returns.
func (c *Call) repeat(err error) error {
	before, is := errors.AsType[*idempotency.Replay](err)
	if !is {
		return err
	}
	c.Hold()
	header := c.ResponseHeader()
	header.Set(idempotency.Replayed, "true")
	if before.ContentType == refusalType {
		var refused refusal
		if err := json.Unmarshal([]byte(before.Body), &refused); err != nil {
			return err
		}
		c.Fail(fault.New(refused.Kind, refused.Code, refused.Message))
		return nil
	}
	if before.Location != "" {
		header.Set("Location", before.Location)
	}
	if before.ContentType == "" {
		return c.Empty(before.Status)
	}
	return c.Bytes(before.Status, before.ContentType, []byte(before.Body))
}

// refusalType marks the stored form of a refusal, which a replay writes in the form that its client accepts. Clients
// never see it.
const refusalType = "application/vnd.punchcard.refusal+json"

// refusal is what is stored of a refusal. Form errors, which have more, are not stored.
type refusal struct {
	Kind    fault.Kind `json:"kind"`
	Code    string     `json:"code"`
	Message string     `json:"message,omitempty"`
}

func storedRefusal(e *fault.Error) (idempotency.Response, error) {
	body, err := web.Encode(refusal{e.Kind, e.Code, e.Message})
	return idempotency.Response{Status: web.StatusOf(e.Kind), ContentType: refusalType, Body: body}, err
}

// DelegateKey is the call as its Idempotency-Key names it, for an operation that keeps the answer with its effect by itself;
// nil without a key.
func (c *Call) DelegateKey() *idempotency.Request {
	if c.idempotent == nil {
		return nil
	}
	c.idempotent.delegated = true
	return c.idempotent.request
}

// StoredOK is what such an operation keeps of the answer that OK gives. It panics for what has no JSON form.
func StoredOK(v any) idempotency.Response {
	body, err := web.Encode(v)
	if err != nil {
		panic(err) // which fails the operation
	}
	return idempotency.Response{Status: http.StatusOK, ContentType: "application/json", Body: body}
}

// AfterCommit runs f when what the call wrote is durable, before the answer is sent.
func (c *Call) AfterCommit(f func()) {
	if c.idempotent.began() {
		c.idempotent.after = append(c.idempotent.after, f)
		return
	}
	f()
}
