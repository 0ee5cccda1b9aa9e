package outbound

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"punchcard/platform/form"
)

// MaxURL is the length of an address in characters.
const MaxURL = 2048

// ValidURL holds a field of a form to an address that can be called: http or https with a host, no credentials (they
// belong into headers), no fragment.
var ValidURL = form.Matches("This value is not a valid URL.", isURL)

// PublicHost holds a field to hosts that this client may call, as far as that shows without looking up a name.
func (c *Client) PublicHost() form.Rule {
	return form.Matches("This address is private.", func(text string) bool {
		return c.allowPrivate || !isURL(text) || !namesPrivate(text)
	})
}

func isURL(text string) bool {
	if text == "" || len(text) > MaxURL || strings.TrimSpace(text) != text {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return u.Hostname() != "" && u.User == nil && u.Fragment == "" && !strings.ContainsAny(u.Hostname(), " %/\\@")
}

// namesPrivate says whether the host of a valid URL is an address that is not public, or a name of the own machine.
func namesPrivate(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	address, err := netip.ParseAddr(host)
	if err == nil {
		return !isPublic(address)
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
