package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// MaxHeaderBytes bounds the request line and all headers together; net/http answers 431 a little above it.
const MaxHeaderBytes = 64 << 10

// The defaults of ServerConfig.
const (
	DefaultReadHeaderTimeout = 10 * time.Second
	DefaultReadTimeout       = 60 * time.Second  // 10 MiB at 180 kB/s
	DefaultWriteTimeout      = 120 * time.Second // more than DefaultRequestTimeout: time to send what was made
	DefaultIdleTimeout       = 120 * time.Second
	DefaultDrainTimeout      = 20 * time.Second
)

// ServerConfig says how long a client may take, and how many there may be. Zero means the default of its name.
type ServerConfig struct {
	Log               *slog.Logger
	ReadHeaderTimeout time.Duration // from the first byte until the headers are complete
	ReadTimeout       time.Duration // from the first byte until the body is read
	WriteTimeout      time.Duration // from the end of the headers until the answer is sent
	IdleTimeout       time.Duration // of a connection between two requests
	DrainTimeout      time.Duration // that requests in flight have to end when the server stops
	MaxConnections    int           // open at a time, one more gets a 503 and is closed
}

// Serve answers requests on the listener until ctx ends. It then accepts no more connections and waits until
// the requests in flight are answered; what takes longer than DrainTimeout has its context ended and its
// connection closed, which is the error. Serve closes the listener.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, c ServerConfig) error {
	if c.Log == nil {
		return errors.Join(errors.New("web: Log is needed"), listener.Close())
	}
	requests, endRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer endRequests()
	open := &connections{limit: int64(cmp.Or(c.MaxConnections, DefaultMaxConnections))}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: cmp.Or(c.ReadHeaderTimeout, DefaultReadHeaderTimeout),
		ReadTimeout:       cmp.Or(c.ReadTimeout, DefaultReadTimeout),
		WriteTimeout:      cmp.Or(c.WriteTimeout, DefaultWriteTimeout),
		IdleTimeout:       cmp.Or(c.IdleTimeout, DefaultIdleTimeout),
		MaxHeaderBytes:    MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return requests },
		ConnState:         open.track,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("web: serve: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(requests, cmp.Or(c.DrainTimeout, DefaultDrainTimeout))
	defer cancel()
	err := server.Shutdown(drain)
	<-served
	if err != nil {
		endRequests()
		return errors.Join(fmt.Errorf("web: drain: %w", err), server.Close())
	}
	return nil
}
