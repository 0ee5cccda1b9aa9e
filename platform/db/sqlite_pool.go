package db

import (
	"context"
	"errors"
)

// sqlitePool is the reading connections. Each is opened when it is needed first.
type sqlitePool struct {
	open func() (*sqliteConn, error)
	idle chan *sqliteConn // nil stands for one that is not open yet
}

func newPool(size int, open func() (*sqliteConn, error)) *sqlitePool {
	p := &sqlitePool{open: open, idle: make(chan *sqliteConn, size)}
	for range size {
		p.idle <- nil
	}
	return p
}

// take returns a connection that is the caller's until it is given back.
func (p *sqlitePool) take(ctx context.Context) (*sqliteConn, error) {
	var c *sqliteConn
	select {
	case c = <-p.idle:
	case <-ctx.Done():
		return nil, ended(ctx)
	}
	if c != nil {
		return c, nil
	}
	c, err := p.open()
	if err != nil {
		p.idle <- nil
	}
	return c, err
}

func (p *sqlitePool) giveBack(c *sqliteConn) { p.idle <- c }

// close waits until all connections are given back.
func (p *sqlitePool) close() error {
	var all []error
	for range cap(p.idle) {
		if c := <-p.idle; c != nil {
			all = append(all, c.close())
		}
	}
	return errors.Join(all...)
}

func (p *sqlitePool) exec(ctx context.Context, query string, args []any) (int64, error) {
	c, err := p.take(ctx)
	if err != nil {
		return 0, err
	}
	defer p.giveBack(c)
	return c.exec(ctx, query, args)
}

func (p *sqlitePool) later(ctx context.Context, query string, args []any) error {
	_, err := p.exec(ctx, query, args)
	return err
}

func (p *sqlitePool) query(ctx context.Context, query string, args []any) (rows, error) {
	c, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.query(ctx, query, args)
	if err != nil {
		p.giveBack(c)
		return nil, err
	}
	return pooledRows{found, p, c}, nil
}

// pooledRows gives its connection back at the end.
type pooledRows struct {
	rows
	pool *sqlitePool
	conn *sqliteConn
}

// Close implements rows.
func (r pooledRows) Close() error {
	defer r.pool.giveBack(r.conn)
	return r.rows.Close()
}
