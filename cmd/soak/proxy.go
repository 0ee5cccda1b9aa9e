package main

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// proxy forwards TCP connections to one address, and can cut or slow them.
type proxy struct {
	listener net.Listener
	target   string
	delay    atomic.Int64 // nanoseconds before each write
	running  sync.WaitGroup

	mutex sync.Mutex
	open  map[net.Conn]bool
	cut   bool
}

// startProxy listens on a free port of the loopback address.
func startProxy(target string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, target: target, open: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.running.Go(func() { p.connect(client) })
	}
}

// connect forwards one connection until either side ends it.
func (p *proxy) connect(client net.Conn) {
	defer client.Close()
	if !p.keep(client) {
		return
	}
	defer p.forget(client)
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	if !p.keep(server) {
		return
	}
	defer p.forget(server)
	p.running.Go(func() { p.pass(server, client) })
	p.pass(client, server)
}

// pass copies one direction, then closes both.
func (p *proxy) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	_, _ = io.Copy(slowWriter{to, &p.delay}, from) // the end of the connection is the only outcome
}

// slowWriter waits before each write.
type slowWriter struct {
	io.Writer
	delay *atomic.Int64
}

func (w slowWriter) Write(data []byte) (int, error) {
	if delay := w.delay.Load(); delay > 0 {
		time.Sleep(time.Duration(delay))
	}
	return w.Writer.Write(data)
}

// keep registers an open connection; it returns false while the network is cut.
func (p *proxy) keep(c net.Conn) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.cut {
		p.open[c] = true
	}
	return !p.cut
}

func (p *proxy) forget(c net.Conn) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.open, c)
}

// setCut ends all connections and refuses new ones, or accepts them again.
func (p *proxy) setCut(cut bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.cut = cut
	if cut {
		for c := range p.open {
			_ = c.Close() // the other side may have closed it
		}
	}
}

// setDelay delays each write; 0 ends the delay.
func (p *proxy) setDelay(delay time.Duration) { p.delay.Store(int64(delay)) }

// stop ends all connections.
func (p *proxy) stop() error {
	p.setCut(true)
	err := p.listener.Close()
	p.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
