package web

import (
	"net/netip"
	"slices"
	"strings"
)

// ClientNetwork is the part of the client's address that one client cannot change at will: an IPv4 address, or the /64
// network of an IPv6 one. What proxies say of where a request comes from counts as far as the proxies are trusted.
func (r *Request) ClientNetwork() string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !r.handler.trusts(address) {
			break
		}
		before, known := parseHop(strings.TrimSpace(hop))
		if !known {
			break
		}
		address = before
	}
	if address.Is4() {
		return address.String()
	}
	return netip.PrefixFrom(address, 64).Masked().String()
}

func (h *handler) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(h.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(address) })
}

// parseHop reads an address as proxies write it, with or without a port.
func parseHop(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(text)
		address = withPort.Addr()
	}
	return address.Unmap().WithZone(""), err == nil
}
