package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// MaxHeaderBytes limits the request line and all headers together. net/http responds with 431 a little above it.
const MaxHeaderBytes = 64 << 10

// The defaults of ServerConfig.
const (
	DefaultReadHeaderTimeout = 10 * time.Second
	DefaultReadTimeout       = 60 * time.Second  // 10 MiB at 180 kB/s
	DefaultWriteTimeout      = 120 * time.Second // more than DefaultRequestTimeout, to leave time for sending
	DefaultIdleTimeout       = 120 * time.Second
	DefaultDrainTimeout      = 20 * time.Second
	DefaultDrainPatience     = 2 * time.Second

	// DefaultFirstRequestTimeout is enough for a request that is under way when the server stops.
	DefaultFirstRequestTimeout = 500 * time.Millisecond
)

// ServerConfig has the time limits of clients and their number. Zero means the default of the same name.
type ServerConfig struct {
	Log               *slog.Logger
	ReadHeaderTimeout time.Duration // from the first byte until the headers are complete
	ReadTimeout       time.Duration // from the first byte until the body is read
	WriteTimeout      time.Duration // from the end of the headers until the response is sent
	IdleTimeout       time.Duration // between two requests of a connection
	DrainTimeout      time.Duration // for requests in flight to end when the server stops
	DrainPatience     time.Duration // then, for a client that neither reads its response nor sends its request

	// FirstRequestTimeout is for new connections to send the headers of a request when the server stops.
	FirstRequestTimeout time.Duration

	MaxConnections int // open at a time; one more gets a 503 and is closed
	MaxPerClient   int // the same for one client, by its network; see Request.ClientNetwork

	// TLS makes the connections HTTPS, with HTTP/1.1: the limits and the drain count one request a connection.
	TLS *tls.Config

	// TrustedProxies are not limited by MaxPerClient, because their connections carry the requests of many clients.
	TrustedProxies []netip.Prefix
}

// Serve handles requests on the listener until ctx ends. It then accepts no more connections, closes those without a
// request, and waits for the requests in flight. A client that neither reads nor sends for DrainPatience is cut off.
// The context of a request that takes longer than DrainTimeout ends, and its connection is closed. Serve returns an
// error if a request was cut off before its response began, unless its client was still sending it. Serve closes the
// listener.
func Serve(ctx context.Context, on net.Listener, handler http.Handler, c ServerConfig) error {
	if c.Log == nil {
		return errors.Join(errors.New("web: Log is needed"), on.Close())
	}
	requests, endRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer endRequests()
	open := &connections{
		log: c.Log, open: map[*connection]struct{}{}, proxies: c.TrustedProxies,
		limit: cmp.Or(c.MaxConnections, DefaultMaxConnections), perClient: cmp.Or(c.MaxPerClient, DefaultMaxPerClient),
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: cmp.Or(c.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		ReadTimeout:       cmp.Or(c.ReadTimeout, DefaultReadTimeout),
		WriteTimeout:      cmp.Or(c.WriteTimeout, DefaultWriteTimeout),
		IdleTimeout:       cmp.Or(c.IdleTimeout, DefaultIdleTimeout),
		MaxHeaderBytes:    MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return requests },
		ConnContext:       withConnection,
		ConnState:         open.track,
	}
	if c.TLS != nil {
		on = tls.NewListener(on, c.TLS)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener{on}) }()
	select {
	case err := <-served:
		return fmt.Errorf("web: serve: %w", err)
	case <-ctx.Done():
	}
	// Before the listener is closed, so that a client that finds it closed keeps no connection for another request. This
	// closes idle connections at once, and the others after a response.
	server.SetKeepAlivesEnabled(false)
	_ = on.Close()
	<-served // the last connection is known
	err := open.stop(c)
	endRequests()
	err = errors.Join(err, server.Close())
	open.awaitHandlers()
	return err
}
