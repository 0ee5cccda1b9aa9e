package db

import (
	"context"
	"errors"
	"sync"
)

// sqlitePool is a pool of reading connections. The one that was released last is taken first, because its
// cache is the fullest.
type sqlitePool struct {
	open  func() (*sqliteConn, error)
	slots chan struct{} // one for each connection in use

	mutex sync.Mutex
	idle  []*sqliteConn
}

func newPool(size int, open func() (*sqliteConn, error)) *sqlitePool {
	return &sqlitePool{open: open, slots: make(chan struct{}, size)}
}

// take returns a connection for the caller alone, until release. Connections are opened when they are needed.
func (p *sqlitePool) take(ctx context.Context) (*sqliteConn, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, waitError(ctx)
	}
	if c := p.last(); c != nil {
		return c, nil
	}
	c, err := p.open()
	if err != nil {
		<-p.slots
	}
	return c, err
}

// last returns nil if no open connection is idle.
func (p *sqlitePool) last() (c *sqliteConn) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if n := len(p.idle); n > 0 {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	return c
}

func (p *sqlitePool) release(c *sqliteConn) {
	p.mutex.Lock()
	p.idle = append(p.idle, c)
	p.mutex.Unlock()
	<-p.slots
}

// close waits until all connections are released.
func (p *sqlitePool) close() error {
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	var all []error
	for _, c := range p.idle {
		all = append(all, c.close())
	}
	return errors.Join(all...)
}

func (p *sqlitePool) exec(ctx context.Context, query string, args []any) (int64, error) {
	c, err := p.take(ctx)
	if err != nil {
		return 0, err
	}
	defer p.release(c)
	return c.exec(ctx, query, args)
}

func (p *sqlitePool) execDeferred(ctx context.Context, query string, args []any) error {
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
		p.release(c)
		return nil, err
	}
	return pooledRows{found, p, c}, nil
}

// pooledRows release their connection when they are closed.
type pooledRows struct {
	rows
	pool *sqlitePool
	conn *sqliteConn
}

// Close implements rows.
func (r pooledRows) Close() error {
	defer r.pool.release(r.conn)
	return r.rows.Close()
}
