package web_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/platform/testwait"
	"punchcard/platform/web"
)

// running is a server on its own listener.
type running struct {
	address string
	stop    context.CancelFunc
	ended   chan error
}

func serve(t *testing.T, c web.ServerConfig, routes ...web.Route) *running {
	t.Helper()
	return serveOn(t, listen(t), c, routes...)
}

func serveOn(t *testing.T, listener net.Listener, c web.ServerConfig, routes ...web.Route) *running {
	t.Helper()
	handler, err := web.NewHandler(configOf(io.Discard, routes...))
	if err != nil {
		t.Fatal(err)
	}
	return serveHandler(t, listener, c, handler)
}

func serveHandler(t *testing.T, listener net.Listener, c web.ServerConfig, handler http.Handler) *running {
	t.Helper()
	c.Log = slog.New(slog.DiscardHandler)
	ctx, stop := context.WithCancel(context.Background())
	r := &running{address: listener.Addr().String(), stop: stop, ended: make(chan error, 1)}
	go func() { r.ended <- web.Serve(ctx, listener, handler, c) }()
	t.Cleanup(func() {
		stop()
		<-r.ended
	})
	return r
}

// dial opens a connection and sends text.
func (r *running) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if err := connection.SetDeadline(time.Now().Add(testwait.Limit())); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(connection, text); err != nil {
		t.Fatal(err)
	}
	return connection
}

func TestMalformedRequests(t *testing.T) {
	r := serve(t, web.ServerConfig{}, web.Route{Method: "POST", Path: "/", Handle: echo})
	for request, status := range map[string]int{
		"GARBAGE\r\n\r\n":                                                                   400,
		"GET / HTTP/9.9\r\nHost: a\r\n\r\n":                                                 505,
		"GET / HTTP/1.1\r\n\r\n":                                                            400,
		"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n":                                              400,
		"GET / HTTP/1.1\r\nHost: a\r\nno\r\n\r\n":                                           400,
		"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n":                                             200, // the response of net/http
		"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n":                                         404,
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n":                          400,
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na":     400,
		"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n":            400,
		"GET / HTTP/1.1\r\nHost: a\r\nX-Large: " + strings.Repeat("a", 70_000) + "\r\n\r\n": 431,
		"GET /?" + strings.Repeat("a", 70_000) + " HTTP/1.1\r\nHost: a\r\n\r\n":             431,
	} {
		connection := r.dial(t, request)
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Errorf("%.60q: %v", request, err)
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("%.60q: %d, want %d", request, response.StatusCode, status)
		}
	}
}

func TestSlowClientsAreCut(t *testing.T) {
	r := serve(t, web.ServerConfig{ReadHeaderTimeout: 20 * time.Millisecond, ReadTimeout: 40 * time.Millisecond,
		IdleTimeout: 20 * time.Millisecond}, web.Route{Method: "POST", Path: "/", Handle: echo})
	for _, request := range []string{
		"POST / HT",
		"POST / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: " + urlencoded + "\r\nContent-Length: 100\r\n\r\na=",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", // then idle
	} {
		answer, err := io.ReadAll(r.dial(t, request))
		if errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
			t.Errorf("%q: the connection stays open", request)
		}
		if strings.Contains(request, "Length: 100") && !strings.HasPrefix(string(answer), "HTTP/1.1 400") {
			t.Errorf("half a body: %q", answer)
		}
	}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func TestDrain(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	r := serve(t, web.ServerConfig{}, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
		entered <- true
		<-release
		if err := r.Context().Err(); err != nil {
			return err
		}
		return r.Bytes(http.StatusOK, "text/plain", []byte("done"))
	}})
	connection := r.dial(t, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	<-entered
	r.stop()
	r.refuses(t)
	select {
	case err := <-r.ended:
		t.Fatalf("the server ended before its request: %v", err)
	default:
	}
	close(release)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	read(t, response).checkDrained(t)
	err = <-r.ended
	r.ended <- err
	if err != nil {
		t.Errorf("a clean stop: %v", err)
	}
}

// refuses waits until the server, which is stopping, accepts no connection.
func (r *running) refuses(t *testing.T) {
	t.Helper()
	testwait.Until(t, "no connection is accepted", func() bool {
		late, err := net.Dial("tcp", r.address)
		if err == nil {
			_ = late.Close()
		}
		return err != nil
	})
}

// A request that is under way when the server stops is handled, whatever part of it has arrived.
func TestDrainHandlesRequestsUnderWay(t *testing.T) {
	r := serve(t, web.ServerConfig{FirstRequestTimeout: time.Hour}, web.Route{Method: "GET", Path: "/",
		Handle: func(r *web.Request) error { return r.Bytes(http.StatusOK, "text/plain", []byte("done")) }})
	var connections []net.Conn
	for _, part := range []string{"", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"} {
		connections = append(connections, r.dial(t, part))
	}
	r.accepted(t)
	r.stop()
	r.refuses(t)
	for i, rest := range []string{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "TP/1.1\r\nHost: a\r\n\r\n", "\r\n"} {
		if _, err := io.WriteString(connections[i], rest); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(connections[i]), nil)
		if err != nil {
			t.Fatalf("the rest %q: %v", rest, err)
		}
		read(t, response).checkDrained(t)
	}
	err := <-r.ended
	r.ended <- err
	if err != nil {
		t.Errorf("a clean stop: %v", err)
	}
}

func (a answer) checkDrained(t *testing.T) {
	t.Helper()
	if a.StatusCode != http.StatusOK || a.body != "done" || !a.Close {
		t.Errorf("the request in flight: %d %q, close %v", a.StatusCode, a.body, a.Close)
	}
}

func TestDrainIsBounded(t *testing.T) {
	entered, ended := make(chan bool), make(chan error, 1)
	r := serve(t, web.ServerConfig{DrainTimeout: time.Millisecond},
		web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
			entered <- true
			<-r.Context().Done()
			ended <- r.Context().Err()
			return r.Context().Err()
		}})
	connection := r.dial(t, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	<-entered
	r.stop()
	err := <-r.ended
	r.ended <- err
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a drain that takes too long: %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler's context: %v", err)
	}
	if answer, _ := io.ReadAll(connection); len(answer) > 0 {
		t.Errorf("a cancelled request has a response: %q", answer)
	}
}

func TestServeReportsALostListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	config := web.ServerConfig{Log: slog.New(slog.DiscardHandler)}
	if err := web.Serve(t.Context(), listener, http.NotFoundHandler(), config); !errors.Is(err, net.ErrClosed) {
		t.Errorf("serving a closed listener: %v", err)
	}
}

// A client that sends a body byte by byte is cut off long before the time for a whole body ends.
func TestBodyMustComeAtAPace(t *testing.T) {
	r := serve(t, web.ServerConfig{}, web.Route{Method: "POST", Path: "/", Handle: echo})
	connection := r.dial(t, "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: "+urlencoded+"\r\nContent-Length: 1000\r\n\r\n")
	if err := connection.SetDeadline(time.Now().Add(web.BodyPatience + testwait.Limit())); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		pace := time.NewTicker(web.BodyPatience / 100)
		defer pace.Stop()
		for {
			select {
			case <-stop:
				return
			case <-pace.C:
			}
			if _, err := io.WriteString(connection, "a"); err != nil {
				return
			}
		}
	}()
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 400 || !answer.Close {
		t.Errorf("%s, close: %v", answer.Status, answer.Close)
	}
}
