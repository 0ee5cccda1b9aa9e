package outbound

import (
	"net/netip"
	"testing"
)

func TestPublicAddresses(t *testing.T) {
	for _, c := range []struct {
		public    bool
		addresses []string
	}{
		{true, []string{"8.8.8.8", "1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111",
			"2a00:1450:4001::200e", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"}},
		{false, []string{"127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255",
			"192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1",
			"203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.88.99.1"}},
		{false, []string{"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1",
			"100::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "3fff::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
			"::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"}},
	} {
		for _, text := range c.addresses {
			if isPublic(netip.MustParseAddr(text)) != c.public {
				t.Errorf("%s: public is %t", text, !c.public)
			}
		}
	}
	if isPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}
