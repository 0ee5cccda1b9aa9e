package idempotency

import (
	"time"

	"punchcard/platform/db"
)

// Response is what is kept of an answer.
type Response struct {
	Status      int
	ContentType string // empty without a body
	Location    string
	Body        string
}

// Replay is the error of a request that was answered before.
type Replay struct{ Response }

// Error implements error.
func (*Replay) Error() string { return "the request was answered before" }

// Batch decides the requests of one store that come with keys, together. A nil Batch is one without such requests, and a
// nil Request is one without a key.
type Batch struct {
	known  map[string]*stored
	inFlight map[string]bool // keys of requests that another node is answering
	added      []*stored         // what Keep added
}

type stored struct {
	Request
	Response
	createdAt time.Time
}

// Find reads what is known of requests. It is for looking only: who acts on it needs Claim.
func Find(tx *db.Tx, requests ...*Request) (*Batch, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	s := &Batch{known: make(map[string]*stored, len(requests))}
	rows, err := find(tx, requests[0].StoreKey, keys(requests))
	for i := range rows {
		s.known[rows[i].Key] = &rows[i]
	}
	return s, err
}

// Claim is Find for requests that are about to take effect in the transaction: until it ends, no other transaction
// has them. SQLite has one writing transaction at a time anyway.
func Claim(tx *db.Tx, requests ...*Request) (*Batch, error) {
	var elsewhere map[string]bool
	if len(requests) > 0 && tx.Engine() == "postgres" {
		var err error
		if elsewhere, err = lock(tx, requests[0].StoreKey, keys(requests)); err != nil {
			return nil, err
		}
	}
	s, err := Find(tx, requests...)
	if s != nil {
		s.inFlight = elsewhere
	}
	return s, err
}

// Check returns nil for a request that is new, and otherwise a Replay, ErrReused or ErrInFlight.
func (s *Batch) Check(r *Request) error {
	if s == nil || r == nil {
		return nil
	}
	if s.inFlight[r.Key] {
		return ErrInFlight
	}
	known := s.known[r.Key]
	switch {
	case known == nil:
		return nil
	case known.Digest != r.Digest:
		return ErrReused
	}
	return &Replay{known.Response}
}

// Add notes the answer to a new request, for those of the set that have the same key and for Save.
func (s *Batch) Add(r *Request, a Response) {
	if len(a.Body) > ResponseLimit {
		a.ContentType, a.Body = "", ""
	}
	one := &stored{Request: *r, Response: a}
	s.known[r.Key] = one
	s.added = append(s.added, one)
}

// Save stores the answers that were noted, with the effect of their requests.
func (s *Batch) Save(tx *db.Tx) error {
	if s == nil || len(s.added) == 0 {
		return nil
	}
	for _, one := range s.added {
		one.createdAt = tx.ServerNow()
	}
	return insert(tx, s.added)
}
