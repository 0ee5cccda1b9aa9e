package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// The default limits of connections.
const (
	// DefaultMaxConnections bounds what idle and slow clients cost: some ten kilobytes each.
	DefaultMaxConnections = 8192
	// DefaultMaxPerClient leaves room for others when one client takes all it can get, and is enough for a large
	// network behind one address.
	DefaultMaxPerClient = 2048
)

// tooMany is the answer to a connection beyond a limit, of which nothing is read.
const tooMany = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n" +
	"Connection: close\r\nContent-Length: 54\r\n\r\n" + `{"error":{"code":503,"message":"Service Unavailable"}}`

// writeStep is how many bytes are handed to the network at once, so that a client that reads slowly can be
// distinguished from one that does not read.
const writeStep = 64 << 10

// connection is an open connection. It knows whether the server waits for the client, which decides when the server
// stops.
type connection struct {
	net.Conn
	client   netip.Prefix  // that it counts for; invalid when it counts for none
	state    atomic.Int32  // an http.ConnState
	reads    atomic.Uint32 // goes up at the begin and the end of each Read: odd while the server is in one
	writes   atomic.Uint32 // the same of Write
	unread   atomic.Bool   // a part of the request's body has not been read
	answered atomic.Uint32 // value of writes before the answer to the request
}

// Read implements net.Conn.
func (c *connection) Read(p []byte) (int, error) {
	c.reads.Add(1)
	defer c.reads.Add(1)
	return c.Conn.Read(p)
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (written int, err error) {
	for {
		c.writes.Add(1)
		n, err := c.Conn.Write(p[:min(len(p), writeStep)])
		c.writes.Add(1)
		written, p = written+n, p[n:]
		if err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// CloseWrite lets net/http tell a client that nothing more comes while what it sends is still taken.
func (c *connection) CloseWrite() error {
	if half, can := c.Conn.(interface{ CloseWrite() error }); can {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// waits says whether the server waits for the client: for the body of a request, or to take the answer.
func (c *connection) waits() bool {
	return c.writes.Load()%2 == 1 || c.unread.Load() && c.reads.Load()%2 == 1
}

// moved changes whenever the client sends or takes something.
func (c *connection) moved() uint64 { return uint64(c.reads.Load())<<32 | uint64(c.writes.Load()) }

// atWork says whether a handler still works on the answer: nothing of it is sent, and the client owes nothing.
func (c *connection) atWork() bool {
	return http.ConnState(c.state.Load()) == http.StateActive && !c.waits() && c.writes.Load() == c.answered.Load()
}

// expectAnswer is called when a request, or the body of one, has been read.
func (c *connection) expectAnswer() {
	c.unread.Store(false)
	c.answered.Store(c.writes.Load())
}

// connectionKey finds the connection in the context of its requests.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// connections are the open ones.
type connections struct {
	log       *slog.Logger
	warned    time.Time // when a warning that a limit was reached was last logged
	limit     int
	perClient int
	proxies   []netip.Prefix // whose connections count for no client
	clients   clientCounts

	mutex sync.Mutex
	open  map[*connection]struct{}
}

// listener makes a connection of each that it accepts.
type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &connection{Conn: accepted}, nil
}

// track is the server's ConnState: a connection beyond a limit is answered and closed before it is read.
func (s *connections) track(accepted net.Conn, state http.ConnState) {
	c := accepted.(*connection)
	c.state.Store(int32(state))
	switch state {
	case http.StateNew:
		if limit := s.admit(c); limit != "" {
			s.warn(limit)
			_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // a new connection takes so little at once
			_, _ = c.Write([]byte(tooMany))
			_ = c.Close()
		}
	case http.StateActive:
		c.expectAnswer()
	case http.StateClosed, http.StateHijacked:
		s.forget(c)
	}
}

// admit counts the connection. It returns the limit that the connection is beyond, if any.
func (s *connections) admit(c *connection) string {
	s.mutex.Lock()
	s.open[c] = struct{}{}
	all := len(s.open)
	s.mutex.Unlock()
	if all > s.limit {
		return "all connections"
	}
	peer, known := parsePeer(c.RemoteAddr().String())
	if !known || contains(s.proxies, peer) {
		return ""
	}
	client := networkOf(peer)
	if !s.clients.take(client, s.perClient) {
		return "connections of one client"
	}
	c.client = client
	return ""
}

// warn logs, at most once a minute, that a limit was reached. It is called by the one goroutine that accepts.
func (s *connections) warn(limit string) {
	if now := time.Now(); now.Sub(s.warned) >= time.Minute {
		s.warned = now
		s.log.Warn("connections are refused beyond a limit", "limit", limit)
	}
}

func (s *connections) forget(c *connection) {
	s.mutex.Lock()
	delete(s.open, c)
	s.mutex.Unlock()
	if c.client.IsValid() {
		s.clients.giveBack(c.client)
	}
}

// all are the connections that are open now.
func (s *connections) all() []*connection {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := make([]*connection, 0, len(s.open))
	for c := range s.open {
		all = append(all, c)
	}
	return all
}
