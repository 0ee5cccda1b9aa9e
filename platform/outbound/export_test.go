package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
)

// ErrLeaves means that a client tried to connect to another machine.
var ErrLeaves = errors.New("the call leaves the machine")

// NewClientOnMachine makes a client that looks up names with the resolver. An address that it does not refuse is called
// if it is a loopback address, and answered with ErrLeaves if not.
func NewClientOnMachine(c Config, resolver *net.Resolver) *Client {
	return newClient(c, &net.Dialer{
		Resolver: resolver,
		ControlContext: func(ctx context.Context, network, address string, raw syscall.RawConn) error {
			if err := c.Reach.control(ctx, network, address, raw); err != nil {
				return err
			}
			if to, err := netip.ParseAddrPort(address); err != nil || !to.Addr().Unmap().IsLoopback() {
				return ErrLeaves
			}
			return nil
		},
	})
}
