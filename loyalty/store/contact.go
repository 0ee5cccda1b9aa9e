package store

import (
	"strings"

	"punchcard/platform/form"
)

// EmailRule and PhoneRule are what the addresses of those who run a program are held to.
var (
	EmailRule = form.Matches(form.NotAnEmail, isEmail)
	PhoneRule = form.Matches(form.NotAPhone, isPhone)
)

// isEmail accepts one name and one domain with a dot; whether it exists only a message can tell.
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
