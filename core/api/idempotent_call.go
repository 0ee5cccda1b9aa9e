package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/idempotency"
	"punchcard/platform/web"
)

// Keyed reports whether the endpoint honours an Idempotency-Key.
func (e *Endpoint) Keyed() bool { return e.Method != http.MethodGet && !e.Unkeyed }

// idempotentCall is the state of a call with an Idempotency-Key. The transaction of its Write stores the response:
// docs/behaviour/requests.md#idempotency.
type idempotentCall struct {
	request  *idempotency.Request
	stepwise bool  // each write has its own transaction
	stored   bool  // the response is stored with the effect
	known    error // what a write found out about the key; it replaces the response of the handler
}

// respond runs the endpoint's handler, or replays the stored response of its Idempotency-Key. Callers who may no longer
// write still get replays of their former writes.
func (s *Server) respond(c *Call, e *Endpoint) error {
	if e.Method == http.MethodGet {
		err := e.Handle(c)
		if err == nil && c.Method == http.MethodGet { // not for HEAD
			c.view()
		}
		return err
	}
	if err := c.refuseWishes(e); err != nil {
		return err
	}
	handle := func(c *Call) error {
		if err := e.Access.CheckWrite(c.Caller); err != nil {
			return err
		}
		return e.Handle(c)
	}
	if dry, err := c.isDry(); err != nil {
		return err
	} else if dry {
		return s.dryRun(c, e, handle)
	}
	if !e.Keyed() {
		return handle(c)
	}
	lines := c.Header[idempotency.Header]
	if lines == nil || e.UploadBytes > 0 && c.IsUpload() {
		return c.release(handle(c))
	}
	body, err := c.BodySum()
	if err != nil {
		return err
	}
	request, err := c.keyed(lines, body)
	if err != nil {
		return err
	}
	c.idempotent = &idempotentCall{request: request, stepwise: e.Stepwise}
	return c.release(s.handleOnce(c, handle))
}

// release sends a response that is held, unless the call failed.
func (c *Call) release(err error) error {
	if err == nil {
		c.Release()
	}
	return err
}

// UploadKey returns the request as its Idempotency-Key identifies it, after the last byte of an upload; nil without a
// key.
func (c *Call) UploadKey() (*idempotency.Request, error) {
	lines := c.Header[idempotency.Header]
	if lines == nil {
		return nil, nil
	}
	return c.keyed(lines, c.UploadSum())
}

// keyed identifies the request by its key, its caller and the hash of its body. All callers without credentials are
// one caller.
func (c *Call) keyed(lines []string, body string) (*idempotency.Request, error) {
	key, err := idempotency.ParseKey(lines)
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
	// Cashback providers send their message in a header named Content.
	return idempotency.NewRequest(storeKey, key, caller,
		c.Method, c.URL.EscapedPath(), c.URL.RawQuery, c.Header.Get("Content"), body), nil
}

// running are the requests with an Idempotency-Key that this node is handling. It is no sync.Map: a Server is known to
// nearly all packages, and each of them would compile the map's generic type again.
type running struct {
	mutex   sync.Mutex
	digests map[string]string // by key
}

// begin adds a request, unless one with the key is running. Then it returns the digest of that.
func (r *running) begin(key, digest string) (other string, isRunning bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if other, isRunning = r.digests[key]; isRunning {
		return other, true
	}
	if r.digests == nil {
		r.digests = map[string]string{}
	}
	r.digests[key] = digest
	return "", false
}

func (r *running) end(key string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.digests, key)
}

// handleOnce refuses a request that this node is handling already. Otherwise it leaves the response held.
func (s *Server) handleOnce(c *Call, handle func(*Call) error) error {
	r := c.idempotent.request
	name := strconv.FormatInt(r.StoreKey, 10) + " " + r.Key
	digest, isRunning := s.running.begin(name, r.Digest)
	switch {
	case !isRunning:
		defer s.running.end(name)
		return c.idempotent.handle(c, handle)
	case digest != r.Digest:
		return idempotency.ErrReused
	}
	return idempotency.ErrInFlight
}

func (i *idempotentCall) handle(c *Call, handle func(*Call) error) error {
	if err := i.find(c); err != nil {
		return c.replay(err)
	}
	c.Hold()
	err := handle(c)
	if i.known == nil {
		i.known = aboutKey(err)
	}
	switch {
	case i.known != nil:
		return c.replay(i.known)
	case err != nil:
		return i.refuse(c, err)
	case i.stored:
		return nil
	}
	return c.replay(i.store(c, heldResponse(c)))
}

// find returns the stored state of the key before the handler runs.
func (i *idempotentCall) find(c *Call) error {
	return c.server.DB.Read(c.Context(), func(tx *db.Tx) error {
		stored, err := idempotency.Find(tx, i.request)
		if err != nil {
			return err
		}
		return stored.Check(i.request)
	})
}

// claim locks the key until the transaction ends.
func (i *idempotentCall) claim(tx *db.Tx) (*idempotency.Batch, error) {
	stored, err := idempotency.Claim(tx, i.request)
	if err != nil {
		return nil, err
	}
	i.known = stored.Check(i.request)
	return stored, i.known
}

// write runs an operation that stores the response it makes.
func (i *idempotentCall) write(c *Call, tx *db.Tx, run func(tx *db.Tx) error) error {
	stored, err := i.claim(tx)
	if err != nil {
		return err
	}
	if err := run(tx); err != nil {
		return err
	}
	stored.Add(i.request, heldResponse(c))
	return stored.Save(tx)
}

// refuse responds with an error of the handler. It stores errors that depend on what is in the database: if the first
// of two equal requests arrives late, it must not take effect after the client got the refusal of the second. Other
// errors are not stored, so that a corrected request can use the key. If another node has responded meanwhile, that
// response is replayed.
func (i *idempotentCall) refuse(c *Call, err error) error {
	switch refused, _ := errors.AsType[*fault.Error](err); fault.KindOf(err) {
	case fault.Refused, fault.NotFound, fault.Conflict:
		response, storeErr := refusalOf(refused)
		if storeErr == nil {
			storeErr = i.store(c, response)
		}
		if storeErr != nil {
			return c.replay(storeErr)
		}
		return err
	}
	if known := aboutKey(i.find(c)); known != nil {
		return c.replay(known)
	}
	return err
}

// store stores a response without an effect, or with effects that are durable already, unless another node has stored
// one.
func (i *idempotentCall) store(c *Call, response idempotency.Response) error {
	return c.server.DB.Write(c.Context(), func(tx *db.Tx) error {
		stored, err := i.claim(tx)
		if err != nil {
			return err
		}
		stored.Add(i.request, response)
		return stored.Save(tx)
	})
}

// heldResponse returns the stored form of the response that the handler wrote.
func heldResponse(c *Call) idempotency.Response {
	status, body := c.Held()
	header := c.ResponseHeader()
	return idempotency.Response{
		Status: cmp.Or(status, http.StatusOK), ContentType: header.Get("Content-Type"), Location: header.Get("Location"),
		Body: string(body),
	}
}

// refusalType marks the stored form of an error. Clients never see it: a replay is written in the form that its own
// request accepts.
const refusalType = "application/vnd.punchcard.refusal+json"

// refusal is the stored form of an error. Form errors, which have more, are not stored.
type refusal struct {
	Kind    fault.Kind `json:"kind"`
	Code    string     `json:"code"`
	Message string     `json:"message,omitempty"`

	Explanation json.RawMessage `json:"explanation,omitempty"`
}

func refusalOf(e *fault.Error) (idempotency.Response, error) {
	body, err := web.Encode(refusal{e.Kind, e.Code, e.Message, e.Explanation})
	return idempotency.Response{Status: web.StatusOf(e.Kind), ContentType: refusalType, Body: body}, err
}

// aboutKey returns err if it is about a key, otherwise nil.
func aboutKey(err error) error {
	if _, is := errors.AsType[*idempotency.Replay](err); is ||
		errors.Is(err, idempotency.ErrReused) || errors.Is(err, idempotency.ErrInFlight) {
		return err
	}
	return nil
}

// Replay writes the stored response that err holds, and returns any other error.
func (c *Call) Replay(err error) error { return c.release(c.replay(err)) }

// replay is Replay for a response that is held.
func (c *Call) replay(err error) error {
	stored, is := errors.AsType[*idempotency.Replay](err)
	if !is {
		return err
	}
	if c.server.DB.Engine() == "postgres" {
		if err := c.server.DB.Write(c.Context(), func(tx *db.Tx) error {
			return idempotency.Confirm(tx, stored.Request)
		}); err != nil {
			return err
		}
	}
	c.Hold()
	header := c.ResponseHeader()
	header.Set(idempotency.Replayed, "true")
	if stored.Location != "" {
		header.Set("Location", stored.Location)
	}
	switch stored.ContentType {
	case refusalType:
		var r refusal
		if err := json.Unmarshal([]byte(stored.Body), &r); err != nil {
			return err
		}
		return fault.New(r.Kind, r.Code, r.Message).WithExplanation(r.Explanation)
	case "":
		return c.Empty(stored.Status)
	}
	return c.Bytes(stored.Status, stored.ContentType, []byte(stored.Body))
}

// DelegateKey leaves it to an operation to store the response with its effect, and returns the request as its
// Idempotency-Key identifies it; nil without a key.
func (c *Call) DelegateKey() *idempotency.Request {
	if c.idempotent == nil {
		return nil
	}
	c.idempotent.stored = true
	return c.idempotent.request
}

// StoredOK returns the stored form of the response that OK writes. It panics if v has no JSON form, which fails the
// operation.
func StoredOK(v any) idempotency.Response {
	body, err := web.Encode(v)
	if err != nil {
		panic(err)
	}
	return idempotency.Response{Status: http.StatusOK, ContentType: "application/json", Body: body}
}
