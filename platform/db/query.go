package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Query is a SELECT with the function that receives its rows.
type Query struct {
	statement
	read func(rows) error // called for each row
}

// Select returns a query that passes each row to visit. Every row is a T of its own, whose fields are in column order
// in columns. visit must not use a Tx, because a connection reads one result at a time.
func Select[T any](columns func(*T) []any, visit func(T), query string, args ...any) Query {
	var one, blank T
	into := columns(&one) // once, for all rows
	return Query{statement{query, args}, func(rows rows) error {
		one = blank
		err := rows.Scan(into...)
		if err == nil {
			visit(one)
		}
		return err
	}}
}

// Run runs queries that do not need each other's results, in order, until the first error. PostgreSQL receives all of
// them in one round trip.
func (tx *Tx) Run(queries ...Query) error {
	if on, able := tx.on.(sender); able && len(queries) > 1 {
		return tx.pipeline(on, queries)
	}
	for _, q := range queries {
		tx.db.trace(q.query, q.args)
		found, err := tx.on.query(tx.ctx, q.query, q.args)
		if err == nil {
			err = q.receive(found)
		}
		if err != nil {
			return statementError(q.query, err)
		}
	}
	return nil
}

// receive reads all rows and closes them.
func (q *Query) receive(found rows) error {
	defer func() { _ = found.Close() }() // the error of an incomplete result is that of Err
	for found.Next() {
		if err := q.read(found); err != nil {
			return err
		}
	}
	return found.Err()
}

// sender is a querier that sends several statements in one round trip.
type sender interface {
	send(ctx context.Context, statements ...statement) (pgx.BatchResults, error)
}

func (tx *Tx) pipeline(on sender, queries []Query) (err error) {
	statements := make([]statement, len(queries))
	for i, q := range queries {
		tx.db.trace(q.query, q.args)
		statements[i] = q.statement
	}
	results, err := on.send(tx.ctx, statements...)
	if err != nil {
		return err
	}
	defer func() {
		if closed := results.Close(); err == nil { // otherwise it returns the same error
			err = closed
		}
	}()
	for _, q := range queries {
		found, err := results.Query()
		if err == nil {
			err = q.receive(readerRows{found})
		}
		if err != nil {
			return statementError(q.query, err)
		}
	}
	return nil
}
