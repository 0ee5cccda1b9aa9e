package web_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"punchcard/platform/testwait"
	"punchcard/platform/web"
)

// elsewhere gives the connections that it accepts the addresses, in order.
type elsewhere struct {
	net.Listener
	addresses chan string
}

func (e *elsewhere) Accept() (net.Conn, error) {
	accepted, err := e.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return remote{accepted, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(<-e.addresses))}, nil
}

type remote struct {
	net.Conn
	address net.Addr
}

func (r remote) RemoteAddr() net.Addr { return r.address }

// dialFrom opens a connection from the address and reports whether it is served.
func (r *running) dialFrom(t *testing.T, from *elsewhere, address string) (connection net.Conn, served bool) {
	t.Helper()
	from.addresses <- address
	connection = r.dial(t, "")
	_, _ = io.WriteString(connection, get) // a refused connection may be closed already
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return connection, false
	}
	_ = answer.Body.Close()
	return connection, answer.StatusCode == http.StatusNoContent
}

func TestConnectionsAreLimited(t *testing.T) {
	r := serve(t, web.ServerConfig{MaxConnections: 3}, web.Route{Method: "POST", Path: "/", Handle: echo})
	var held []net.Conn
	for range 3 {
		held = append(held, r.dial(t, ""))
	}
	const sends = "POST / HTTP/1.1\r\nHost: a\r\n\r\n"
	refused, err := io.ReadAll(r.dial(t, ""))
	if text := string(refused); err != nil || !strings.HasPrefix(text, "HTTP/1.1 503 Service Unavailable\r\n") ||
		!strings.Contains(text, "\r\nRetry-After: 1\r\n") || !strings.HasSuffix(text, "\r\n\r\n"+unavailable) {
		t.Errorf("one more: %v, %q", err, refused)
	}
	if _, err := io.WriteString(held[0], sends); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(held[0]), nil)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("one of the three: %+v, %v", answer, err)
	}
	_ = answer.Body.Close()
	if err := held[1].Close(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(testwait.Limit())
	for {
		next, err := net.Dial("tcp", r.address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(next, sends) // a refused connection may be closed already
		answer, err := http.ReadResponse(bufio.NewReader(next), nil)
		served := err == nil && answer.StatusCode == 200
		_ = next.Close()
		if served {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a place that became free is not given away")
		}
	}
}

func TestConnectionsOfOneClientAreLimited(t *testing.T) {
	at := &elsewhere{listen(t), make(chan string, 1)}
	r := serveOn(t, at, web.ServerConfig{
		MaxPerClient: 2, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error { return r.NoContent() }})
	for _, address := range []string{
		"192.0.2.1:1", "192.0.2.1:2", "192.0.2.2:1", "[::ffff:192.0.2.2]:2", "[2001:db8:1:1::1]:1", "[2001:db8:1:1:9::2]:2",
		"[2001:db8:1:2::1]:1", "10.1.1.1:1", "10.1.1.1:2", "10.1.1.1:3", "10.1.1.1:4",
	} {
		if _, served := r.dialFrom(t, at, address); !served {
			t.Errorf("%s is refused", address)
		}
	}
	var last net.Conn
	for _, address := range []string{"[2001:db8:1:2::ffff]:2", "[2001:db8:1:2::2]:3", "192.0.2.2:3", "192.0.2.1:3"} {
		connection, served := r.dialFrom(t, at, address)
		if wanted := last == nil; served != wanted {
			t.Errorf("%s: served %v", address, served)
		}
		if served {
			last = connection
		}
	}
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(testwait.Limit()); ; {
		if _, served := r.dialFrom(t, at, "[2001:db8:1:2::1]:4"); served {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a place that became free is not given away")
		}
	}
}

// Behind a proxy, the requests in flight of each client are limited.
func TestRequestsOfOneClientBehindAProxyAreLimited(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	config := configOf(io.Discard, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
		entered <- true
		<-release
		return r.NoContent()
	}})
	config.MaxPerClient, config.TrustedProxies = 1, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	handler, err := web.NewHandler(config)
	if err != nil {
		t.Fatal(err)
	}
	r := serveHandler(t, listen(t), web.ServerConfig{MaxPerClient: 1, TrustedProxies: config.TrustedProxies}, handler)
	send := func(forwarded string) *bufio.Reader {
		return bufio.NewReader(r.dial(t, "GET / HTTP/1.1\r\nHost: a\r\n"+forwarded+"\r\n"))
	}
	expect := func(from *bufio.Reader, status int) {
		t.Helper()
		answer, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != status || status == 503 && answer.Header.Get("Retry-After") != "1" {
			t.Errorf("%d %v, want %d", answer.StatusCode, answer.Header, status)
		}
	}
	const one, same, other = "X-Forwarded-For: 2001:db8::1\r\n", "X-Forwarded-For: 2001:db8::2\r\n",
		"X-Forwarded-For: 2001:db8::1, 192.0.2.1\r\n"
	var running []*bufio.Reader
	for _, forwarded := range []string{one, other, "", ""} { // the last two are the proxy's own
		running = append(running, send(forwarded))
		<-entered
	}
	for _, forwarded := range []string{one, same, other} {
		expect(send(forwarded), 503)
	}
	close(release)
	for _, request := range running {
		expect(request, 204)
	}
	again := send(same)
	<-entered
	expect(again, 204)
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
