package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
)

// Reach allows a client to call more addresses than those of the public internet. Link-local
// addresses and cloud metadata services are never allowed.
type Reach int

// The reaches. Each includes the ones before.
const (
	Public   Reach = iota // nothing else
	Loopback              // the machine that the server runs on
	Private               // that machine and private networks
)

// ErrRefused means that an address is out of reach. It gives no reason, because the reason would
// reveal the internal network to the person who configured the address.
var ErrRefused = errors.New("the address is refused")

// Dialer returns a dialer for addresses within reach.
func (r Reach) Dialer() *net.Dialer { return &net.Dialer{ControlContext: r.control} }

// control refuses addresses out of reach. The dialer calls it for each resolved address right before
// connecting, so a name whose address changes is checked again.
func (r Reach) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !r.includes(to.Addr()) {
		return ErrRefused
	}
	return nil
}

func (r Reach) includes(address netip.Addr) bool {
	switch networkOf(address) {
	case public:
		return true
	case loopback:
		return r >= Loopback
	case private:
		return r >= Private
	}
	return false
}

// network is the kind of network that an address belongs to.
type network int

const (
	public network = iota
	loopback
	private   // also networks for documentation, benchmarks, multicast and the like
	forbidden // never called
)

// forbiddenNetworks are unspecified and link-local addresses, the metadata services of clouds that have others (Azure,
// Alibaba, Oracle, AWS, Google and Scaleway), and IPv6 networks that hide an IPv4 address at a place that is not known
// (NAT64 with a local prefix) or encoded (Teredo).
var forbiddenNetworks = prefixes("0.0.0.0/8", "169.254.0.0/16", "::/128", "fe80::/10",
	"168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32",
	"fd00:ec2::254/128", "fd20:ce::254/128", "fd00:42::42/128", "fd00:c1::a9fe:a9fe/128",
	"64:ff9b:1::/48", "2001::/32")

// special4 are the other IPv4 networks that are not public, from IANA's special-purpose registry,
// with multicast and broadcast.
var special4 = prefixes("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
	"240.0.0.0/4")

// special6 are the networks inside global6 that are not public: protocols, documentation, 6to4.
var special6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

var (
	global6 = netip.MustParsePrefix("2000::/3")     // the allocated part of IPv6
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // IPv4 addresses as networks without IPv4 see them
)

// carriers are IPv6 networks whose addresses contain an IPv4 address, starting at byte at:
// IPv4-compatible, SIIT, NAT64 and 6to4. IPv4-mapped addresses are treated as IPv4 addresses.
var carriers = []struct {
	network netip.Prefix
	at      int
}{
	{netip.MustParsePrefix("::/96"), 12}, {netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, {nat64, 12},
	{netip.MustParsePrefix("2002::/16"), 2},
}

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

func networkOf(address netip.Addr) network {
	address = address.WithZone("").Unmap()
	switch {
	case !address.IsValid() || contains(address, forbiddenNetworks):
		return forbidden
	case address.IsLoopback():
		return loopback
	case address.Is4() && !contains(address, special4):
		return public
	case address.Is4():
		return private
	}
	carried := private
	for _, c := range carriers {
		if c.network.Contains(address) {
			bytes := address.As16()
			carried = networkOf(netip.AddrFrom4([4]byte(bytes[c.at:])))
		}
	}
	switch {
	case carried == forbidden:
		return forbidden
	case nat64.Contains(address) && carried == public:
		return public
	case global6.Contains(address) && !contains(address, special6):
		return public
	}
	return private
}

func contains(address netip.Addr, networks []netip.Prefix) bool {
	for _, network := range networks {
		if network.Contains(address) {
			return true
		}
	}
	return false
}
