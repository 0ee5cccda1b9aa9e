package outbound

import (
	"context"
	"errors"
	"net/netip"
	"syscall"
)

// ErrPrivateAddress says that a host leads into a private network, and that this is not allowed.
var ErrPrivateAddress = errors.New("the address is private; the setting --allow-private-addresses permits it")

// refusePrivate sees every address right before the connection is made, after the name was looked up: a name that
// leads elsewhere at a second look leads nowhere.
func refusePrivate(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !isPublic(to.Addr()) {
		return ErrPrivateAddress
	}
	return nil
}

// special4 are the IPv4 networks that are not the public internet (IANA's special-purpose registry), the
// broadcast address and the addresses of cloud metadata services among them.
var special4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")

// special6 are the networks inside global6 that are not public, or that hide an IPv4 address: protocols and Teredo,
// documentation, 6to4.
var special6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

var (
	global6 = netip.MustParsePrefix("2000::/3")     // the part of IPv6 that is given out at all
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // IPv4 addresses as networks without IPv4 see them
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

func isPublic(address netip.Addr) bool {
	address = address.WithZone("").Unmap()
	if nat64.Contains(address) {
		bytes := address.As16()
		address = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	special := special4
	if address.Is6() {
		if !global6.Contains(address) {
			return false
		}
		special = special6
	}
	for _, network := range special {
		if network.Contains(address) {
			return false
		}
	}
	return address.IsValid()
}
