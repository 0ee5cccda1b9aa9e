package web

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"punchcard/platform/password"
)

// ClientAddress returns the client's address. Behind trusted proxies it comes from X-Forwarded-For.
func (r *Request) ClientAddress() string { return r.clientNetwork(128) }

// ClientNetwork returns the part of the client's address that a client cannot change at will: an IPv4 address, or the
// /64 network of an IPv6 address. Behind trusted proxies it comes from X-Forwarded-For.
func (r *Request) ClientNetwork() string { return r.clientNetwork(64) }

// ClientSite returns the same with the /48 network of an IPv6 address, the largest that a provider usually assigns to
// one of its customers.
func (r *Request) ClientSite() string { return r.clientNetwork(48) }

// ClientIP returns the client's address like ClientAddress, and whether it is known.
func (r *Request) ClientIP() (netip.Addr, bool) {
	peer, known := parsePeer(r.RemoteAddr)
	if !known {
		return peer, false
	}
	return r.clientBehind(peer), true
}

// ClientContext returns the context of the request, whose passwords are hashed in turn with those of other clients.
func (r *Request) ClientContext() context.Context {
	return password.WithClient(r.Context(), r.ClientNetwork())
}

// clientNetwork returns the client's IPv4 address, or a prefix of its IPv6 address.
func (r *Request) clientNetwork(bits int) string {
	client, known := r.ClientIP()
	if !known {
		return r.RemoteAddr
	}
	if client.Is4() {
		return client.String()
	}
	return netip.PrefixFrom(client, bits).Masked().String()
}

// clientBehind follows X-Forwarded-For from the peer to the first address that is not a trusted proxy.
func (r *Request) clientBehind(peer netip.Addr) netip.Addr {
	address := peer
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !contains(r.handler.TrustedProxies, address) {
			break
		}
		before, known := parseHop(strings.TrimSpace(hop))
		if !known {
			break
		}
		address = before
	}
	return address
}

func contains(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

// networkOf returns the IPv4 address itself, or the /64 network of an IPv6 address.
func networkOf(address netip.Addr) netip.Prefix {
	bits := 64
	if address.Is4() {
		bits = 32
	}
	return netip.PrefixFrom(address, bits).Masked()
}

// parsePeer parses the remote address of a connection.
func parsePeer(text string) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(text)
	return peer.Addr().Unmap().WithZone(""), err == nil
}

// parseHop parses an address with or without a port, as proxies write it.
func parseHop(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return parsePeer(text)
	}
	return address.Unmap().WithZone(""), true
}

// clientCounts counts the connections or requests of clients by network. The zero value is ready to use.
type clientCounts struct {
	mutex sync.Mutex
	held  map[netip.Prefix]int
}

// take adds one for the client, and reports false if the limit is reached.
func (c *clientCounts) take(client netip.Prefix, limit int) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held == nil {
		c.held = map[netip.Prefix]int{}
	}
	if c.held[client] >= limit {
		return false
	}
	c.held[client]++
	return true
}

// giveBack undoes a successful take.
func (c *clientCounts) giveBack(client netip.Prefix) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held[client]--; c.held[client] == 0 {
		delete(c.held, client)
	}
}

// admit reports whether the client may have one more request in flight. It counts only requests through trusted
// proxies: clients that connect directly are limited by their connections, which carry one request at a time.
func (h *handler) admit(r *Request) bool {
	if len(h.TrustedProxies) == 0 {
		return true
	}
	peer, known := parsePeer(r.RemoteAddr)
	if !known || !contains(h.TrustedProxies, peer) {
		return true
	}
	client := r.clientBehind(peer)
	if contains(h.TrustedProxies, client) {
		return true // the proxy's own request
	}
	if !h.clients.take(networkOf(client), h.MaxPerClient) {
		return false
	}
	r.client = networkOf(client)
	return true
}
