package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"

	"punchcard/core/api/health"
	"punchcard/platform/db"
	"punchcard/platform/web"
)

// front answers from the start of the program on: first that the server is starting, as it may have a schema to
// upgrade, then with the handler of the server.
type front struct {
	encryption
	listener net.Listener
	handler  atomic.Pointer[http.Handler]
	served   chan error // the end of web.Serve
	stop     context.CancelFunc
}

// openFront listens, and answers until ctx ends.
func openFront(ctx context.Context, config *Config, log *slog.Logger) (*front, error) {
	listener, err := listen(config.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w: another program serves there; stop it, or choose another address", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	f := &front{listener: listener, served: make(chan error, 1)}
	starting, err := web.NewHandler(web.Config{
		Routes: health.StartingRoutes(), Log: log, NewID: db.NewID, Clock: config.now, CORSOrigins: config.AllowedOrigin,
		HSTS: config.HSTS,
	})
	if err == nil {
		f.encryption, err = config.encryption(listener.Addr().String(), log)
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	f.handler.Store(&starting)
	ctx, f.stop = context.WithCancel(ctx)
	go func() {
		f.served <- web.Serve(ctx, listener, f, web.ServerConfig{
			Log: log, TLS: f.config, DrainTimeout: config.Drain, MaxConnections: config.MaxConnections,
			MaxPerClient: config.MaxConnectionsPerClient, TrustedProxies: config.TrustedProxy,
		})
		close(f.served)
	}()
	return f, nil
}

// ServeHTTP passes the request on.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*f.handler.Load()).ServeHTTP(w, r)
}

// close ends a front whose server failed to start. After the last request it does nothing.
func (f *front) close() error {
	f.stop()
	return <-f.served
}

// The variables and the number of the first listener of systemd's sockets, see sd_listen_fds(3).
const (
	listenPID, listenFDs = "LISTEN_PID", "LISTEN_FDS"
	firstListener        = 3
)

// listen returns the listener that systemd has opened for this process, which keeps connections waiting while the
// program restarts, or else opens one at the address.
func listen(address string) (net.Listener, error) {
	if os.Getenv(listenPID) != strconv.Itoa(os.Getpid()) {
		return net.Listen("tcp", address)
	}
	if count := os.Getenv(listenFDs); count != "1" {
		return nil, fmt.Errorf("systemd passes %s sockets, want one", count)
	}
	file := os.NewFile(firstListener, "socket of systemd")
	defer file.Close()
	return net.FileListener(file)
}
