package web

import (
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// DefaultMaxConnections bounds what idle and slow clients cost: some ten kilobytes each.
const DefaultMaxConnections = 8192

// tooMany is the answer to a connection beyond the limit, of which nothing is read.
const tooMany = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n" +
	"Connection: close\r\nContent-Length: 54\r\n\r\n" + `{"error":{"code":503,"message":"Service Unavailable"}}`

// connections counts the open ones.
type connections struct {
	open  atomic.Int64
	limit int64
}

// track is the server's ConnState: a connection beyond the limit is answered and closed before it is read.
func (c *connections) track(connection net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if c.open.Add(1) > c.limit {
			_ = connection.SetWriteDeadline(time.Now().Add(time.Second)) // a new connection takes so little at once
			_, _ = connection.Write([]byte(tooMany))
			_ = connection.Close()
		}
	case http.StateClosed, http.StateHijacked:
		c.open.Add(-1)
	}
}
