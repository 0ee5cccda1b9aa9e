package sqlite

import (
	"context"
	"errors"
	"sync"

	"punchcard/platform/db"
)

// connectionPool is a pool of reading connections. The one that was released last is taken first, because its
// cache is the fullest.
type connectionPool struct {
	open  func() (*connection, error)
	slots chan struct{} // one for each connection in use

	mutex sync.Mutex
	idle  []*connection
}

func newPool(size int, open func() (*connection, error)) *connectionPool {
	return &connectionPool{open: open, slots: make(chan struct{}, size)}
}

// take returns a connection for the caller alone, until release. Connections are opened when they are needed.
func (p *connectionPool) take(ctx context.Context) (*connection, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, db.WaitError(ctx)
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
func (p *connectionPool) last() (c *connection) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if n := len(p.idle); n > 0 {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	return c
}

func (p *connectionPool) release(c *connection) {
	p.mutex.Lock()
	p.idle = append(p.idle, c)
	p.mutex.Unlock()
	<-p.slots
}

// close waits until all connections are released.
func (p *connectionPool) close() error {
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	var all []error
	for _, c := range p.idle {
		all = append(all, c.close())
	}
	return errors.Join(all...)
}

func (p *connectionPool) Exec(ctx context.Context, query string, args []any) (int64, error) {
	c, err := p.take(ctx)
	if err != nil {
		return 0, err
	}
	defer p.release(c)
	return c.Exec(ctx, query, args)
}

func (p *connectionPool) ExecDeferred(ctx context.Context, query string, args []any) error {
	_, err := p.Exec(ctx, query, args)
	return err
}

func (p *connectionPool) Query(ctx context.Context, query string, args []any) (db.Rows, error) {
	c, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.Query(ctx, query, args)
	if err != nil {
		p.release(c)
		return nil, err
	}
	return pooledRows{found, p, c}, nil
}

// pooledRows release their connection when they are closed.
type pooledRows struct {
	db.Rows
	pool *connectionPool
	conn *connection
}

func (r pooledRows) Close() error {
	defer r.pool.release(r.conn)
	return r.Rows.Close()
}
