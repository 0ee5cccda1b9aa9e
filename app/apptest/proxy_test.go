package apptest

import (
	"io"
	"net"
	"testing"
	"time"
)

// echo returns what it receives, on a loopback port.
func echo(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c)
				_ = c.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// The proxy forwards bytes, delays them, counts round trips, and ends and refuses connections while it is cut.
func TestProxy(t *testing.T) {
	p, err := StartProxy("tcp", echo(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", p.Address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	exchange := func(c net.Conn) error {
		if _, err := c.Write([]byte("hello")); err != nil {
			return err
		}
		_, err := io.ReadFull(c, make([]byte, 5))
		return err
	}
	c := dial()
	if err := exchange(c); err != nil {
		t.Error(err)
	}
	const delay = 20 * time.Millisecond
	p.SetDelay(delay)
	began := time.Now()
	if err := exchange(c); err != nil || time.Since(began) < 2*delay {
		t.Errorf("slow: %v after %v", err, time.Since(began))
	}
	p.SetDelay(0)
	if trips := p.RoundTrips(); trips != 2 {
		t.Errorf("%d round trips, want 2", trips)
	}
	p.SetCut(true)
	if exchange(c) == nil || exchange(dial()) == nil {
		t.Error("a cut network passes bytes on")
	}
	p.SetCut(false)
	if err := exchange(dial()); err != nil {
		t.Error(err)
	}
}
