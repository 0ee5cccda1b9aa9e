package postgres

import (
	"context"

	"punchcard/platform/db"
)

// open is a transaction of a dry run, on a connection of its own.
type open struct{ *transaction }

func (e *engine) Begin(ctx context.Context) (db.Open, error) {
	on, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	return open{on}, nil
}

func (o open) Shard() int64 { return o.shard() }

func (o open) Discard() { o.waiting = nil }

func (o open) Rollback() { o.rollback(context.Background()) }
