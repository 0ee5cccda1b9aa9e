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

// URLRules hold a field of a form to an address that this client calls: http or https with a host that is within reach
// as far as that shows without looking up a name, no credentials (they belong into headers), no fragment. Every field
// that the server takes an address from has them, after the others of that field.
func (c *Client) URLRules(others ...form.Rule) []form.Rule {
	return append(others, form.MaxLength(MaxURL), form.Matches("This value is not a valid URL.", isURL), c.HostRule())
}

// HostRule is the part of URLRules that concerns the host. It holds for texts that are no addresses.
func (c *Client) HostRule() form.Rule {
	return form.Matches("This address is not allowed.", func(text string) bool {
		return !isURL(text) || c.reach.includesHost(text)
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
	return u.Hostname() != "" && u.User == nil && u.Fragment == "" && !strings.ContainsAny(u.Hostname(), " %/\\@") &&
		!isOddIPv4(host(u))
}

func host(u *url.URL) string { return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") }

// isOddIPv4 says whether a host is a number in a form that some resolvers take for an IPv4 address, such as 127.1,
// 0x7f000001 or 017700000001. No top-level domain begins with a digit.
func isOddIPv4(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last[0] < '0' || last[0] > '9' {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err != nil
}

// includesHost says whether the host of a valid URL is a name, other than those of the own machine, or an address
// within reach. What address a name has is checked when the connection is made.
func (r Reach) includesHost(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	name := host(u)
	if address, err := netip.ParseAddr(name); err == nil {
		return r.includes(address)
	}
	return r >= Loopback || name != "localhost" && !strings.HasSuffix(name, ".localhost")
}
