package idempotency

import (
	"time"

	"punchcard/platform/db"
)

// Answer is what is kept of an answer.
type Answer struct {
	Status      int
	ContentType string // empty without a body
	Location    string
	Body        string
}

// Replay is the error of a request that was answered before.
type Replay struct{ Answer }

// Error implements error.
func (*Replay) Error() string { return "the request was answered before" }

// Set decides the requests of one store that come with keys, together. A nil Set is one without such requests, and a
// nil Request is one without a key.
type Set struct {
	answered  map[string]*kept
	elsewhere map[string]bool // keys of requests that another node is answering
	made      []*kept         // what Keep added
}

type kept struct {
	Request
	Answer
	createdAt time.Time
}

// Find reads what is known of requests. It is for looking only: who acts on it needs Claim.
func Find(tx *db.Tx, requests ...*Request) (*Set, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	s := &Set{answered: make(map[string]*kept, len(requests))}
	rows, err := find(tx, requests[0].StoreKey, keys(requests))
	for i := range rows {
		s.answered[rows[i].Key] = &rows[i]
	}
	return s, err
}

// Claim is Find for requests that are about to take effect in the transaction: until it ends, no other transaction
// has them. SQLite has one writing transaction at a time anyway.
func Claim(tx *db.Tx, requests ...*Request) (*Set, error) {
	var elsewhere map[string]bool
	if len(requests) > 0 && tx.Engine() == "postgres" {
		var err error
		if elsewhere, err = lock(tx, requests[0].StoreKey, keys(requests)); err != nil {
			return nil, err
		}
	}
	s, err := Find(tx, requests...)
	if s != nil {
		s.elsewhere = elsewhere
	}
	return s, err
}

// Check returns nil for a request that is new, and otherwise a Replay, ErrReused or ErrInFlight.
func (s *Set) Check(r *Request) error {
	if s == nil || r == nil {
		return nil
	}
	if s.elsewhere[r.Key] {
		return ErrInFlight
	}
	known := s.answered[r.Key]
	switch {
	case known == nil:
		return nil
	case known.Digest != r.Digest:
		return ErrReused
	}
	return &Replay{known.Answer}
}

// Keep notes the answer to a new request, for those of the set that have the same key and for Save.
func (s *Set) Keep(r *Request, a Answer) {
	if len(a.Body) > AnswerLimit {
		a.ContentType, a.Body = "", ""
	}
	one := &kept{Request: *r, Answer: a}
	s.answered[r.Key] = one
	s.made = append(s.made, one)
}

// Save stores the answers that were noted, with the effect of their requests.
func (s *Set) Save(tx *db.Tx) error {
	if s == nil || len(s.made) == 0 {
		return nil
	}
	for _, one := range s.made {
		one.createdAt = tx.ServerNow()
	}
	return insert(tx, s.made)
}
