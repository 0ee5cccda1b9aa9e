package outbound

import (
	"net/netip"
	"testing"
)

func TestNetworkOfAnAddress(t *testing.T) {
	for want, addresses := range map[network][]string{
		public: {"8.8.8.8", "1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111",
			"2a00:1450:4001::200e", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "168.63.129.17"},
		loopback: {"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"},
		private: {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "192.0.0.8", "192.0.2.1",
			"198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
			"192.88.99.1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "100::1", "2001:db8::1", "2001:20::1", "3fff::1",
			"::ffff:10.0.0.1", "::127.0.0.1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::127.0.0.1",
			"64:ff9b::10.0.0.1", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1"},
		forbidden: {"0.0.0.0", "0.1.2.3", "::", "169.254.0.1", "169.254.169.254", "::ffff:169.254.169.254",
			"::169.254.169.254", "::ffff:0:169.254.169.254", "64:ff9b::169.254.169.254", "64:ff9b::a9fe:a9fe",
			"2002:a9fe:a9fe::", "2002:a9fe:a9fe::1", "64:ff9b::0.0.0.0", "fe80::1", "fe80::1%eth0", "fe80::a9fe:a9fe",
			"168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::168.63.129.16", "2002:a83f:8110::1", "100.100.100.200",
			"192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42", "fd00:c1::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe",
			"64:ff9b:1:a9fe:a9:fe00::", "2001::1", "2001:0:808:808::5601:5601"},
	} {
		for _, text := range addresses {
			if got := networkOf(netip.MustParseAddr(text)); got != want {
				t.Errorf("%s: %d, want %d", text, got, want)
			}
		}
	}
	if networkOf(netip.Addr{}) != forbidden {
		t.Error("no address is called")
	}
}

func TestReach(t *testing.T) {
	for reach, want := range map[Reach]map[string]bool{
		Public:   {"8.8.8.8": true, "127.0.0.1": false, "10.0.0.1": false, "169.254.169.254": false},
		Loopback: {"8.8.8.8": true, "127.0.0.1": true, "10.0.0.1": false, "169.254.169.254": false},
		Private:  {"8.8.8.8": true, "127.0.0.1": true, "10.0.0.1": true, "169.254.169.254": false},
	} {
		for text, included := range want {
			if reach.includes(netip.MustParseAddr(text)) != included {
				t.Errorf("reach %d, %s: included is %t", reach, text, !included)
			}
		}
	}
}
