package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"punchcard/platform/testwait"
	"punchcard/platform/web"
)

const (
	stopLimit = 5 * time.Second // of a server without a request that it could handle
	get       = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	post      = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: " + urlencoded + "\r\nContent-Length: 100000\r\n\r\na="
)

// large is a body that no socket buffers whole.
var large = bytes.Repeat([]byte("row\n"), 16<<20)

// answerLarge sends all of it at once.
func answerLarge(r *web.Request) error { return r.Bytes(http.StatusOK, "text/csv", large) }

// streamForever sends blocks until the client or the server ends it.
func streamForever(r *web.Request) error {
	for to := r.Stream(); ; {
		if _, err := to.Write(block); err != nil {
			return err
		}
	}
}

// stopWithin stops the server and returns its error and how long it took.
func (r *running) stopWithin(t *testing.T, limit time.Duration) error {
	t.Helper()
	began := time.Now()
	r.stop()
	select {
	case err := <-r.ended:
		r.ended <- err
		if took := time.Since(began); took > limit {
			t.Errorf("the server took %v to stop", took)
		}
		return err
	case <-time.After(testwait.Limit()):
		t.Fatal("the server does not stop")
		return nil
	}
}

// slow are connections whose clients keep the server waiting.
var slow = map[string]struct {
	method  string
	request string
	handle  func(*web.Request) error
	answers bool // the client reads the first line of the response
}{
	"sends nothing":             {"GET", "", answerLarge, false},
	"sends half a header":       {"GET", get[:20], answerLarge, false},
	"sends half a body":         {"POST", post, echo, false},
	"sends an unwanted body":    {"POST", post, func(r *web.Request) error { return r.NoContent() }, false},
	"does not read a body":      {"GET", get, answerLarge, true},
	"does not read a stream":    {"GET", get, streamForever, true},
	"does not read compression": {"GET", get[:len(get)-2] + "Accept-Encoding: gzip\r\n\r\n", streamForever, true},
}

// Clients that neither send nor read hold up no server that stops, and are no error.
func TestStopDoesNotWaitForClients(t *testing.T) {
	for name, c := range slow {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := serve(t, web.ServerConfig{DrainTimeout: time.Hour, ReadHeaderTimeout: time.Hour, ReadTimeout: time.Hour},
				web.Route{Method: c.method, Path: "/", Handle: c.handle})
			connection := r.dial(t, c.request)
			if c.answers {
				if _, err := bufio.NewReaderSize(connection, 16).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			} else {
				r.accepted(t)
			}
			if err := r.stopWithin(t, stopLimit); err != nil {
				t.Error(err)
			}
		})
	}
}

// accepted waits until the server has accepted every connection so far, which it does in their order.
func (r *running) accepted(t *testing.T) {
	t.Helper()
	connection := r.dial(t, "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n") // which net/http answers
	if _, err := bufio.NewReader(connection).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
}

// trickle reads a byte now and then until the end, and returns their number.
func trickle(connection net.Conn, pause time.Duration, chunk int64) (total int64, err error) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		<-tick.C
		n, err := io.CopyN(io.Discard, connection, chunk)
		total += n
		if err != nil {
			return total, err
		}
	}
}

// A client that reads slowly gets the whole response while the server stops.
func TestStopLetsSlowReadersEnd(t *testing.T) {
	const rest = 200 * time.Millisecond // much less than it takes to read all of it
	r := serve(t, web.ServerConfig{DrainTimeout: time.Hour, DrainPatience: rest},
		web.Route{Method: "GET", Path: "/", Handle: answerLarge})
	connection := r.dial(t, get)
	reader := bufio.NewReader(connection)
	answer, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	r.stop()
	began, tick, total := time.Now(), time.NewTicker(time.Millisecond*10), int64(0)
	defer tick.Stop()
	for total < int64(len(large)) {
		<-tick.C
		n, err := io.CopyN(io.Discard, answer.Body, 1<<20)
		total += n
		if err != nil {
			t.Fatalf("the answer ended after %d bytes: %v", total, err)
		}
	}
	if took := time.Since(began); took < 2*rest {
		t.Fatalf("the client read too fast for this test: %v", took)
	}
	if err := r.stopWithin(t, stopLimit); err != nil {
		t.Error(err)
	}
}

// Slow clients that still read or send at the end of the drain time are cut off, which is no error either.
func TestStopCutsSlowClientsInTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		method, request string
		handle          func(*web.Request) error
		goOn            func(net.Conn) error
	}{
		"reads": {"GET", get, streamForever, func(connection net.Conn) error {
			_, err := trickle(connection, time.Millisecond, 64<<10)
			return err
		}},
		"sends": {"POST", post, echo, func(connection net.Conn) error {
			for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
				if _, err := fmt.Fprint(connection, "a"); err != nil {
					return err
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entered := make(chan bool, 1)
			r := serve(t, web.ServerConfig{DrainTimeout: 300 * time.Millisecond, DrainPatience: time.Hour},
				web.Route{Method: c.method, Path: "/", Handle: func(r *web.Request) error {
					entered <- true
					return c.handle(r)
				}})
			connection, ended := r.dial(t, c.request), make(chan error, 1)
			go func() { ended <- c.goOn(connection) }()
			<-entered
			if err := r.stopWithin(t, stopLimit); err != nil {
				t.Error(err)
			}
			if err := <-ended; isTimeout(err) {
				t.Error("the connection stays open")
			}
		})
	}
}
