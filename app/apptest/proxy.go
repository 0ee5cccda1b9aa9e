package apptest

import (
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Proxy forwards connections from a port of the loopback address to one server. It can delay or cut them, and counts
// round trips.
type Proxy struct {
	listener        net.Listener
	network, target string
	delay           atomic.Int64 // nanoseconds
	trips           atomic.Int64
	running         sync.WaitGroup

	mutex sync.Mutex
	open  map[net.Conn]bool
	cut   bool
}

// StartProxy listens on a free port for connections to an address as net.Dial takes it.
func StartProxy(network, target string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, network: network, target: target, open: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	return p, nil
}

// Address returns the address of the proxy, as host:port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// RoundTrips returns how often clients sent something after the server had, or as the first on a connection. They
// usually wait for the server in between.
func (p *Proxy) RoundTrips() int64 { return p.trips.Load() }

// SetDelay delays whatever passes from now on, in each direction; 0 ends the delay. It does not limit how much passes.
func (p *Proxy) SetDelay(delay time.Duration) { p.delay.Store(int64(delay)) }

// SetCut ends all connections and refuses new ones, or accepts them again.
func (p *Proxy) SetCut(cut bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.cut = cut
	if cut {
		for c := range p.open {
			_ = c.Close() // the other side may have closed it
		}
	}
}

// Stop ends all connections.
func (p *Proxy) Stop() error {
	p.SetCut(true)
	err := p.listener.Close()
	p.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.running.Go(func() { p.connect(client) })
	}
}

// connect forwards one connection until either side ends it.
func (p *Proxy) connect(client net.Conn) {
	defer client.Close()
	if !p.keep(client) {
		return
	}
	defer p.forget(client)
	server, err := net.Dial(p.network, p.target)
	if err != nil {
		return
	}
	defer server.Close()
	if !p.keep(server) {
		return
	}
	defer p.forget(server)
	var asked atomic.Bool // the client was the last to send something
	p.running.Go(func() {
		p.pass(client, server, func() { asked.Store(false) })
	})
	p.pass(server, client, func() {
		if !asked.Swap(true) {
			p.trips.Add(1)
		}
	})
}

// parcel is the data of one read, with the moment at which it is due.
type parcel struct {
	data []byte
	due  time.Time
}

// pass copies one direction, then closes both. It calls arrived for each part.
func (p *Proxy) pass(to, from net.Conn, arrived func()) {
	defer from.Close()
	line := make(chan parcel, 1024)
	defer close(line)
	p.running.Go(func() {
		defer to.Close()
		for next := range line {
			time.Sleep(time.Until(next.due))
			if _, err := to.Write(next.data); err != nil {
				_ = from.Close() // ends the other loop; what is left on the line is lost
			}
		}
	})
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			arrived()
			line <- parcel{slices.Clone(buffer[:n]), time.Now().Add(time.Duration(p.delay.Load()))}
		}
		if err != nil {
			return // the end of the connection is the only outcome
		}
	}
}

// keep registers an open connection; it returns false while the network is cut.
func (p *Proxy) keep(c net.Conn) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.cut {
		p.open[c] = true
	}
	return !p.cut
}

func (p *Proxy) forget(c net.Conn) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.open, c)
}
