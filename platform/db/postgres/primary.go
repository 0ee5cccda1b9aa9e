package postgres

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// lookEvery is how often a node looks which of several servers takes writes.
const lookEvery = 3 * time.Second

// primaryWatch closes connections to a server in whose place another one takes writes. When a server hangs, or the
// network to it is cut, nothing else ends what waits for its answer.
type primaryWatch struct {
	config pgconn.Config
	stop   context.CancelFunc
	ended  sync.WaitGroup

	mutex sync.Mutex
	open  map[*watchedConn]bool
}

// watchedConn is a connection of the pool.
type watchedConn struct {
	net.Conn
	watch *primaryWatch
}

// Close ends the connection, possibly while another goroutine waits for an answer.
func (c *watchedConn) Close() error {
	c.watch.mutex.Lock()
	delete(c.watch.open, c)
	c.watch.mutex.Unlock()
	return c.Conn.Close()
}

// watchPrimary starts to watch the servers of a pool. It returns nil for an address that names one server, or that does
// not ask for the one that takes writes.
func watchPrimary(config *pgxpool.Config) *primaryWatch {
	connect := &config.ConnConfig.Config
	several := false
	for _, other := range connect.Fallbacks {
		several = several || other.Host != connect.Host || other.Port != connect.Port
	}
	if !several || connect.ValidateConnect == nil {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &primaryWatch{config: *connect.Copy(), stop: stop, open: map[*watchedConn]bool{}}
	dial := connect.DialFunc
	connect.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		watched := &watchedConn{c, w}
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.open[watched] = true
		return watched, nil
	}
	w.ended.Go(func() { w.run(ctx) })
	return w
}

// close ends the watch.
func (w *primaryWatch) close() {
	if w == nil {
		return
	}
	w.stop()
	w.ended.Wait()
}

func (w *primaryWatch) run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if address, err := w.find(ctx); err == nil { // else there is no other server, and nothing to gain
			w.closeOthers(address)
		}
	}
}

// find returns the address of the server that takes writes.
func (w *primaryWatch) find(ctx context.Context) (net.Addr, error) {
	c, err := pgconn.ConnectConfig(ctx, &w.config)
	if err != nil {
		return nil, err
	}
	return c.Conn().RemoteAddr(), c.Close(ctx)
}

// closeOthers closes the connections to other servers.
func (w *primaryWatch) closeOthers(primary net.Addr) {
	w.mutex.Lock()
	var others []*watchedConn
	for c := range w.open {
		if c.RemoteAddr().String() != primary.String() {
			others = append(others, c)
		}
	}
	w.mutex.Unlock()
	for _, c := range others {
		_ = c.Close() // its user gets the error
	}
}
