package outbound

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// MaxURL is the maximum length of an address.
const MaxURL = 2048

// URLRules returns the rules of a form field for an address that this client calls: http or https, a
// host that is within reach as far as that is known without resolving it, no credentials (they
// belong in headers), no fragment. All address fields use them, after their other rules.
func (c *Client) URLRules(others ...form.Rule) []form.Rule {
	return append(others, form.MaxLength(MaxURL), form.Matches(form.NotAURL, isCallable), c.HostRule())
}

var errHost = fault.New(fault.Fields, "address_not_allowed", "This address is not allowed.")

// HostRule is the rule for the host. It accepts texts that are not URLs, which another rule refuses.
func (c *Client) HostRule() form.Rule {
	return form.Matches(errHost, func(text string) bool {
		return !isCallable(text) || c.reach.includesHost(text)
	})
}

// HostNameRule is HostRule for a name or an address of a host instead of a URL.
func (c *Client) HostNameRule() form.Rule {
	return form.Matches(errHost, func(text string) bool {
		u := "http://" + text
		if strings.Contains(text, ":") {
			u = "http://[" + text + "]"
		}
		return text == "" || isCallable(u) && !strings.ContainsAny(text, "/?[]") && c.reach.includesHost(u)
	})
}

// isCallable reports whether a text is an address that this client may call, if its host is within reach.
func isCallable(text string) bool {
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

// host returns the name of a host as it is resolved: letters that look like ASCII may stand for it.
func host(u *url.URL) string {
	return strings.TrimSuffix(strings.ToLower(keytext.ASCIIHost(u.Hostname())), ".")
}

// isOddIPv4 reports whether a host is a number that some resolvers take for an IPv4 address, such as
// 127.1, 0x7f000001 or 017700000001. No top-level domain begins with a digit.
func isOddIPv4(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last[0] < '0' || last[0] > '9' {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err != nil
}

// includesHost reports whether the host of a valid URL is an address within reach, or a name that
// does not mean this machine. What a name resolves to is checked on connecting.
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
