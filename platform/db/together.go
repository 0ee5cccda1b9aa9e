package db

import (
	"context"
	"errors"
	"iter"

	"github.com/jackc/pgx/v5"
)

// Together runs reads none of which needs what another finds. Where a round trip is dear, they share them: the first
// statements of all go to the database in one, in the order of the reads, then the second ones, and so on. One of them
// runs at any moment, so they may share variables. An error ends them all.
func (tx *Tx) Together(reads ...func() error) error {
	if on, able := tx.on.(sender); able {
		return tx.sideBySide(on, reads)
	}
	for _, read := range reads {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// Into keeps what a read of Together finds, unless it fails.
func Into[T any](to *T) func(found T, err error) error {
	return func(found T, err error) error {
		if err == nil {
			*to = found
		}
		return err
	}
}

// sender is a querier that sends many statements in one round trip.
type sender interface {
	querier
	send(ctx context.Context, statements ...statement) (pgx.BatchResults, error)
}

// side is one of the reads that run together. It stands still at each of its statements until those of the others have
// been sent, too.
type side struct {
	next    func() (statement, bool) // goes on, to the next statement or to the end
	stop    func()                   // lets a statement that was not sent fail
	ask     func(statement) bool
	results pgx.BatchResults // the next is that of the statement
	err     error            // at the end
}

// newSide makes a panic of the read its error, while the stack still tells where it was.
func newSide(tx *Tx, read func() error) *side {
	s := &side{}
	s.next, s.stop = iter.Pull(func(ask func(statement) bool) {
		s.ask = ask
		s.err = protect(tx, func(*Tx) error { return read() })
	})
	return s
}

// sideBySide lets each read go on to its next statement and then sends these, until all have ended.
func (tx *Tx) sideBySide(on sender, reads []func() error) (err error) {
	sides := make([]*side, len(reads))
	for i, read := range reads {
		sides[i] = newSide(tx, read)
	}
	var results pgx.BatchResults
	defer func() { // after an error some stand still, and some results are unread
		for _, s := range sides {
			tx.on = s
			s.stop()
		}
		tx.on = on
		if results != nil {
			_ = results.Close() // says what a side said
		}
	}()
	for running := sides; len(running) > 0; {
		var asked []statement
		var left []*side
		for _, s := range running {
			tx.on, s.results = s, results
			next, more := s.next()
			switch {
			case more:
				asked, left = append(asked, next), append(left, s)
			case s.err != nil:
				return s.err
			}
		}
		if results != nil {
			if err := results.Close(); err != nil {
				return err
			}
		}
		if running = left; len(running) > 0 {
			if results, err = on.send(tx.ctx, asked...); err != nil {
				return err
			}
		}
	}
	return nil
}

var errBrokenOff = errors.New("a read that ran beside it failed")

func (s *side) exec(_ context.Context, query string, args []any) (int64, error) {
	if !s.ask(statement{query, args}) {
		return 0, errBrokenOff
	}
	tag, err := s.results.Exec()
	return tag.RowsAffected(), err
}

func (s *side) later(ctx context.Context, query string, args []any) error {
	_, err := s.exec(ctx, query, args)
	return err
}

func (s *side) query(_ context.Context, query string, args []any) (rows, error) {
	if !s.ask(statement{query, args}) {
		return nil, errBrokenOff
	}
	found, err := s.results.Query()
	if err != nil {
		return nil, err
	}
	return readerRows{found}, nil
}
