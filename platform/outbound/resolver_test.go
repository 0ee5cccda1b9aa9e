package outbound_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"punchcard/platform/outbound"
)

// names is a name server inside the test. It gives the first answer of a name until next is called.
type names struct {
	mutex   sync.Mutex
	answers map[string][]string // addresses, separated by spaces
}

func newNames() *names { return &names{answers: map[string][]string{}} }

func (n *names) set(name string, answers ...string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.answers[name] = answers
}

func (n *names) addresses(name string, kind dnsmessage.Type) (found []netip.Addr) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if len(n.answers[name]) == 0 {
		return nil
	}
	for text := range strings.FieldsSeq(n.answers[name][0]) {
		if a := netip.MustParseAddr(text); a.Is4() == (kind == dnsmessage.TypeA) {
			found = append(found, a)
		}
	}
	return found
}

// next switches to the next answer for a name.
func (n *names) next(name string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.answers[name] = n.answers[name][1:]
}

// resolver looks names up through pipes. No packet is sent.
func (n *names) resolver(t *testing.T) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		asker, server := net.Pipe()
		go func() {
			defer func() { _ = server.Close() }()
			if err := n.serve(server); err != nil && !errors.Is(err, io.EOF) {
				t.Error(err)
			}
		}()
		return asker, nil
	}}
}

// serve answers one question in the format of DNS over TCP.
func (n *names) serve(c net.Conn) error {
	var size [2]byte
	if _, err := io.ReadFull(c, size[:]); err != nil {
		return err
	}
	packet := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(c, packet); err != nil {
		return err
	}
	var message dnsmessage.Message
	if err := message.Unpack(packet); err != nil {
		return err
	}
	asked := message.Questions[0]
	answer := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: message.ID, Response: true, RecursionAvailable: true},
		Questions: message.Questions,
	}
	for _, a := range n.addresses(strings.TrimSuffix(asked.Name.String(), "."), asked.Type) {
		r := dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: asked.Name, Class: asked.Class, TTL: 1}}
		if a.Is4() {
			r.Body = &dnsmessage.AResource{A: a.As4()}
		} else {
			r.Body = &dnsmessage.AAAAResource{AAAA: a.As16()}
		}
		answer.Answers = append(answer.Answers, r)
	}
	packet, err := answer.AppendPack(make([]byte, 2))
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint16(packet, uint16(len(packet)-2))
	_, err = c.Write(packet)
	return err
}

// onMachine returns a client that can resolve only these names.
func onMachine(t *testing.T, reach outbound.Reach, n *names) *outbound.Client {
	t.Helper()
	c := outbound.NewClientOnMachine(outbound.Config{Reach: reach, Agent: "Punchcard/test"}, n.resolver(t))
	t.Cleanup(c.Close)
	return c
}

func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// The address that a name resolves to is checked when the connection is made.
func TestAddressesOutOfReachAreRefused(t *testing.T) {
	port := portOf(t, receiver(t, func(http.ResponseWriter, *http.Request) {}))
	refused, leaves := outbound.ErrRefused, outbound.ErrLeaves
	for _, c := range []struct {
		addresses                 string // of the name
		public, loopback, private error
	}{
		{"127.0.0.1", refused, nil, nil},
		{"8.8.8.8", leaves, leaves, leaves},
		{"2606:4700::1111", leaves, leaves, leaves},
		{"10.0.0.1", refused, refused, leaves},
		{"192.168.1.1", refused, refused, leaves},
		{"fd12:3456::1", refused, refused, leaves},
		{"64:ff9b::10.0.0.1", refused, refused, leaves},
		{"2002:a00:1::1", refused, refused, leaves},
		{"169.254.169.254", refused, refused, refused},
		{"::ffff:169.254.169.254", refused, refused, refused},
		{"64:ff9b::169.254.169.254", refused, refused, refused},
		{"2002:a9fe:a9fe::1", refused, refused, refused},
		{"fe80::1", refused, refused, refused},
		{"fd00:ec2::254", refused, refused, refused},
		{"168.63.129.16", refused, refused, refused},
		{"0.0.0.0", refused, refused, refused},
		{"::", refused, refused, refused},
		{"169.254.169.254 127.0.0.1", refused, nil, nil}, // the address within reach is called
	} {
		for reach, want := range map[outbound.Reach]error{
			outbound.Public: c.public, outbound.Loopback: c.loopback, outbound.Private: c.private,
		} {
			known := newNames()
			known.set("shop.example", c.addresses)
			_, err := onMachine(t, reach, known).Do(t.Context(), outbound.Call{URL: "http://shop.example:" + port})
			if !errors.Is(err, want) {
				t.Errorf("reach %d, %s: %v, want %v", reach, c.addresses, err, want)
			}
		}
	}
}

// Literal addresses are checked in the same way, in any notation.
func TestAddressesInURLsAreRefused(t *testing.T) {
	port := portOf(t, receiver(t, func(http.ResponseWriter, *http.Request) {}))
	c := onMachine(t, outbound.Public, newNames())
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]",
		"[2002:7f00:1::]", "169.254.169.254", "[::ffff:169.254.169.254]", "１２７.０.０.１",
	} {
		_, err := c.Do(t.Context(), outbound.Call{URL: "http://" + host + ":" + port})
		if !errors.Is(err, outbound.ErrRefused) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// A name that resolves to another address later is checked again.
func TestReboundNameIsRefused(t *testing.T) {
	var calls atomic.Int64
	port := portOf(t, receiver(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	known := newNames()
	known.set("shop.example", "127.0.0.1", "169.254.169.254")
	c := onMachine(t, outbound.Loopback, known)
	call := outbound.Call{URL: "http://shop.example:" + port}
	if _, err := c.Do(t.Context(), call); err != nil || calls.Load() != 1 {
		t.Fatalf("%v, %d calls", err, calls.Load())
	}
	known.next("shop.example")
	c.Close() // a call on the old connection would reach the old address
	if _, err := c.Do(t.Context(), call); !errors.Is(err, outbound.ErrRefused) {
		t.Errorf("%v", err)
	}
}

// Redirects of a receiver within reach are not followed.
func TestRedirectOutOfReach(t *testing.T) {
	address := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
	})
	answer, err := onMachine(t, outbound.Private, newNames()).Do(t.Context(), outbound.Call{URL: address})
	if err != nil || answer.Status != http.StatusTemporaryRedirect {
		t.Errorf("%+v, %v", answer, err)
	}
}
