package store

import (
	"strings"

	"punchcard/platform/form"
)

// EmailRule and PhoneRule validate contacts of administrators and sellers.
var (
	EmailRule = form.Matches(form.NotAnEmail, isEmail)
	PhoneRule = form.Matches(form.NotAPhone, isPhone)
)

// isEmail accepts a name and a domain with a dot. It does not find out whether the address exists.
func isEmail(text string) bool {
	name, domain, found := strings.Cut(text, "@")
	return found && name != "" && strings.Contains(strings.Trim(domain, "."), ".") &&
		!strings.ContainsAny(text, " \t\r\n<>,;") && !strings.Contains(domain, "@")
}

// isPhone accepts digits with an optional leading plus.
func isPhone(text string) bool {
	digits := strings.TrimPrefix(text, "+")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
