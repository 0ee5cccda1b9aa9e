package outbound

import (
	"slices"
	"strings"

	"punchcard/platform/form"
)

// HeaderName is the rule for the name of a header that a call has besides its own.
var HeaderName = form.Matches(form.Invalid("not_a_header_name"), isHeaderName)

// isHeaderName reports whether a name is a valid HTTP header that the call does not set itself.
func isHeaderName(name string) bool {
	lower := strings.ToLower(name)
	return form.IsHeaderName(name) && !strings.HasPrefix(lower, "webhook-") &&
		!slices.Contains([]string{"connection", "content-encoding", "content-length", "content-type", "expect", "host", "te",
			"trailer", "transfer-encoding", "upgrade", "user-agent"}, lower)
}
