package web

import (
	"context"
	"crypto/tls"
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
	// DefaultMaxConnections limits the memory of idle and slow clients, some ten kilobytes each.
	DefaultMaxConnections = 8192
	// DefaultMaxPerClient is enough for a large network behind one address, and leaves connections for others.
	DefaultMaxPerClient = 2048
)

// tooMany is the response to a connection beyond a limit. Its request is not read.
const tooMany = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n" +
	"Connection: close\r\nContent-Length: 54\r\n\r\n" + `{"error":{"code":503,"message":"Service Unavailable"}}`

// writeStep is the number of bytes of one network write. It makes a client that reads slowly distinguishable from one
// that does not read.
const writeStep = 64 << 10

// connection is an open connection. It records whether the server waits for the client, which matters when the server
// stops.
type connection struct {
	net.Conn
	client   netip.Prefix  // network that the connection counts for; invalid if for none
	state    atomic.Int32  // an http.ConnState
	reads    atomic.Uint32 // begins and ends of Read calls: odd during a call
	writes   atomic.Uint32 // the same for Write
	unread   atomic.Bool   // part of the request body has not been read
	answered atomic.Uint32 // value of writes before the response
}

// Read counts the call.
func (c *connection) Read(p []byte) (int, error) {
	c.reads.Add(1)
	defer c.reads.Add(1)
	return c.Conn.Read(p)
}

// Write writes in steps and counts them.
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

// CloseWrite lets net/http end its half of the connection while it still reads from the client.
func (c *connection) CloseWrite() error {
	if half, can := c.Conn.(interface{ CloseWrite() error }); can {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// waits reports whether the server waits for the client to send the body of a request, or to read the response.
func (c *connection) waits() bool {
	return c.writes.Load()%2 == 1 || c.unread.Load() && c.reads.Load()%2 == 1
}

// moved returns a value that changes whenever the client sends or reads something.
func (c *connection) moved() uint64 { return uint64(c.reads.Load())<<32 | uint64(c.writes.Load()) }

// atWork reports whether a handler is still running: no byte of the response is sent, and the server does not wait
// for the client.
func (c *connection) atWork() bool {
	return http.ConnState(c.state.Load()) == http.StateActive && !c.waits() && c.writes.Load() == c.answered.Load()
}

// expectResponse is called when a request, or its body, has been read.
func (c *connection) expectResponse() {
	c.unread.Store(false)
	c.answered.Store(c.writes.Load())
}

// connectionKey is the key of the connection in the context of its requests.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// connections is the set of open connections.
type connections struct {
	log       *slog.Logger
	warned    time.Time // when the last warning about a limit was logged
	limit     int
	perClient int
	proxies   []netip.Prefix // their connections count for no client
	clients   clientCounts

	mutex sync.Mutex
	open  map[*connection]struct{}
}

// listener wraps each connection that it accepts.
type listener struct{ net.Listener }

// Accept returns a *connection.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &connection{Conn: accepted}, nil
}

// track is the ConnState hook of the server. It responds to a connection beyond a limit and closes it unread; one over
// TLS is closed without a response.
func (s *connections) track(accepted net.Conn, state http.ConnState) {
	c := accepted.(*connection)
	c.state.Store(int32(state))
	switch state {
	case http.StateNew:
		if limit := s.admit(c); limit != "" {
			s.warn(limit)
			// A response over TLS would wait for the client's handshake.
			if _, isEncrypted := c.Conn.(*tls.Conn); !isEncrypted {
				_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // so little fits the buffer of a new connection
				_, _ = c.Write([]byte(tooMany))
			}
			_ = c.Close()
		}
	case http.StateActive:
		c.expectResponse()
	case http.StateClosed, http.StateHijacked:
		s.forget(c)
	}
}

// admit counts the connection. It returns the name of the limit that the connection exceeds, if any.
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

// warn logs at most once a minute that a limit is exceeded. Only the accepting goroutine calls it.
func (s *connections) warn(limit string) {
	if now := time.Now(); now.Sub(s.warned) >= time.Minute {
		s.warned = now
		s.log.Warn("connections are refused: a limit is reached", "limit", limit)
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

// all returns the open connections.
func (s *connections) all() []*connection {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := make([]*connection, 0, len(s.open))
	for c := range s.open {
		all = append(all, c)
	}
	return all
}
