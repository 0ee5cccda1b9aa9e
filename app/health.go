package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"punchcard/core/api/health"
)

// Health asks the server that runs with the same settings on this machine whether it answers, or with ready, whether it
// can serve. address is where it asks; empty means where the settings say. An error tells that it does not.
func Health(ctx context.Context, config Config, address string, ready bool) error {
	address, path := cmp.Or(strings.TrimSuffix(address, "/"), config.ownURL()), "/livez"
	if ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, health.ProbeTimeout+health.ProbeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+path, nil)
	if err != nil {
		return err
	}
	// The server is on this machine, and its certificate is for another name.
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, ServerName: append(config.TLSDomain, "")[0],
	}}}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%w; pass the flags of the server, such as --listen and --tls-cert, or its address by --url", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s%s answers %s", address, path, response.Status)
	}
	return nil
}

// ownURL returns the address of the server as seen from its own machine.
func (c *Config) ownURL() string {
	scheme := "http"
	if c.TLSCert != "" || len(c.TLSDomain) > 0 {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return scheme + "://" + c.Listen // the request fails and tells why
	}
	if address, err := netip.ParseAddr(cmp.Or(host, "0.0.0.0")); err == nil && address.IsUnspecified() {
		host = "127.0.0.1"
		if address.Is6() {
			host = "::1"
		}
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
