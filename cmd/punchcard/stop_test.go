package main_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"punchcard/platform/db/dbtest"
)

// stopTime is how long a server may take to stop that has no request it could answer.
const stopTime = 5 * time.Second

// hold opens a connection with a small buffer, sends the text and reads the first line of an answer, if there is one to
// be read.
func (p *process) hold(text string, answers bool) net.Conn {
	p.t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(p.Base, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = connection.Close() })
	if err := connection.(*net.TCPConn).SetReadBuffer(2048); err != nil {
		p.t.Fatal(err)
	}
	if _, err := io.WriteString(connection, text); err != nil {
		p.t.Fatal(err)
	}
	if answers {
		if line, err := bufio.NewReaderSize(connection, 16).ReadString('\n'); err != nil || !strings.Contains(line, " 200 ") {
			p.t.Fatalf("%q, %v", line, err)
		}
	}
	return connection
}

// Clients who do not read an event stream, or send nothing, neither delay the end of the server nor make it a failure.
func TestStopWithClientsThatDoNothing(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			server := start(t, append(demoFlags(t, engine), "--drain", "10m")...)
			administrator := server.token("/api/admin/login_check", "admin", "open")
			stream := "GET /api/event/stream?fromId=0 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + administrator + "\r\n\r\n"
			server.hold(stream, true)
			server.hold(stream, true)
			server.hold(strings.TrimSuffix(stream, "\r\n"), false)
			server.hold("POST /api/admin/login_check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"+
				"Content-Length: 100\r\n\r\n{", false)
			server.hold("", false)
			server.hold("GET /api/healthcheck HTTP/1.1\r\nHost: a\r\n\r\n", false)
			server.hold("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", true) // accepted after the others
			began := time.Now()
			if status := server.stop(syscall.SIGTERM); status != 0 {
				t.Errorf("exit status %d, log: %s", status, server.Log)
			}
			if took := time.Since(began); took > stopTime {
				t.Errorf("the server took %v to stop", took)
			}
		})
	}
}

// The flag bounds the time of a request whose client goes on sending; to cut it off is no failure.
func TestDrainIsASetting(t *testing.T) {
	server := start(t, append(flags(t, "sqlite"), "--drain", "100ms")...)
	connection := server.hold("POST /api/admin/login_check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"+
		"Content-Length: 1000000\r\n\r\n{", false)
	sent := make(chan bool)
	go func() {
		for tick := time.NewTicker(10 * time.Millisecond); ; <-tick.C {
			if _, err := fmt.Fprint(connection, " "); err != nil {
				return
			}
			select {
			case sent <- true:
			default:
			}
		}
	}()
	<-sent
	began := time.Now()
	if status := server.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d, log: %s", status, server.Log)
	}
	if took := time.Since(began); took > stopTime {
		t.Errorf("the server took %v to stop", took)
	}
}
