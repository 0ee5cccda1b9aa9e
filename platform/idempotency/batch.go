package idempotency

import (
	"time"

	"punchcard/platform/db"
)

// Response is the stored form of a response.
type Response struct {
	Status      int
	ContentType string // empty without a body
	Location    string
	Body        string
}

// Replay is the error of a request whose response is stored.
type Replay struct {
	Response
	Request *Request
}

// Error returns a text for the log.
func (*Replay) Error() string { return "the request has a stored response" }

// Batch holds the stored responses to requests of one store. A nil Batch has none; a nil Request is one without a key.
type Batch struct {
	known    map[string]*stored
	inFlight map[string]bool // keys of requests that another node is handling
	added    []*stored       // by Add, for Save
}

type stored struct {
	Request
	Response
	createdAt time.Time
}

// Find reads the stored responses to requests. An operation with effects uses Claim instead.
func Find(tx *db.Tx, requests ...*Request) (*Batch, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	b := &Batch{known: make(map[string]*stored, len(requests))}
	return b, tx.Run(b.find(tx, requests[0].StoreKey, keys(requests)))
}

// Claim is Find for requests that are about to take effect: it locks their keys until the transaction ends.
func Claim(tx *db.Tx, requests ...*Request) (*Batch, error) {
	b, queries := Claiming(tx, requests...)
	return b, tx.Run(queries...)
}

// Claiming returns the queries of Claim, and the batch that they fill.
func Claiming(tx *db.Tx, requests ...*Request) (*Batch, []db.Query) {
	if len(requests) == 0 {
		return nil, nil
	}
	storeKey, keys := requests[0].StoreKey, keys(requests)
	b := &Batch{known: make(map[string]*stored, len(requests)), inFlight: map[string]bool{}}
	find := b.find(tx, storeKey, keys)
	if tx.Engine() != "postgres" { // SQLite has one writing transaction at a time
		return b, []db.Query{find}
	}
	// The locks come first: only a later statement sees the response that their last holder committed.
	return b, []db.Query{b.lock(tx, storeKey, keys), find}
}

// Check returns nil for a new request, otherwise a Replay, ErrReused or ErrInFlight.
func (b *Batch) Check(r *Request) error {
	if b == nil || r == nil {
		return nil
	}
	if b.inFlight[r.Key] {
		return ErrInFlight
	}
	known := b.known[r.Key]
	switch {
	case known == nil:
		return nil
	case known.Digest != r.Digest:
		return ErrReused
	}
	return &Replay{known.Response, r}
}

// Confirm makes sure on PostgreSQL that the stored response to a request cannot be lost. A primary that has lost its
// synchronous standby may show a row that is on no other server, when the session that committed it was ended. A
// transaction that writes waits for the standby, and a locked row is written. The caller must commit it.
func Confirm(tx *db.Tx, r *Request) error {
	_, err := tx.Exec(`SELECT 1 FROM idempotency_keys WHERE store_id = ? AND request_key = ? FOR KEY SHARE`,
		r.StoreKey, r.Key)
	return err
}

// Add adds the response to a new request. Check returns it for later requests with the same key, and Save stores it.
func (b *Batch) Add(r *Request, response Response) {
	if len(response.Body) > ResponseLimit {
		response.ContentType, response.Body = "", ""
	}
	s := &stored{Request: *r, Response: response}
	b.known[r.Key] = s
	b.added = append(b.added, s)
}

// Save stores the responses that were added, in the transaction of the effects of their requests.
func (b *Batch) Save(tx *db.Tx) error {
	if b == nil || len(b.added) == 0 {
		return nil
	}
	for _, s := range b.added {
		s.createdAt = tx.ServerNow()
	}
	return table.Insert(tx, b.added...)
}
