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
type Replay struct{ Response }

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
	rows, err := find(tx, requests[0].StoreKey, keys(requests))
	for i := range rows {
		b.known[rows[i].Key] = &rows[i]
	}
	return b, err
}

// Claim is Find for requests that are about to take effect: it locks their keys until the transaction ends. SQLite
// needs no locks, because it has one writing transaction at a time.
func Claim(tx *db.Tx, requests ...*Request) (*Batch, error) {
	var inFlight map[string]bool
	if len(requests) > 0 && tx.Engine() == "postgres" {
		var err error
		if inFlight, err = lock(tx, requests[0].StoreKey, keys(requests)); err != nil {
			return nil, err
		}
	}
	b, err := Find(tx, requests...)
	if b != nil {
		b.inFlight = inFlight
	}
	return b, err
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
	return &Replay{known.Response}
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
	return insert(tx, b.added)
}
