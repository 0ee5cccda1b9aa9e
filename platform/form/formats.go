package form

import (
	"net/url"
	"strings"

	"punchcard/platform/keytext"
	"punchcard/platform/phone"
)

// Rules for the formats of texts.
var (
	Email = Matches(NotAnEmail, isEmail)
	Phone = Matches(NotAPhone, phone.IsNumber)
	URL   = Matches(NotAURL, isURL)
)

// isEmail accepts an address to which e-mails can be sent, at a domain with a dot, but not that of a computer such as
// 127.0.0.1, to which a mail server might connect. It does not find out whether the address exists.
func isEmail(text string) bool {
	domain := text[strings.LastIndexByte(text, '@')+1:]
	isNumber := strings.Trim(domain[strings.LastIndex(domain, ".")+1:], "0123456789") == ""
	return keytext.IsAddress(text) && strings.Contains(domain, ".") && !isNumber
}

// isURL accepts absolute addresses of web pages. The server does not call them; see outbound.Client for those it calls.
func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// IsHeaderName reports whether a text has only the characters of tokens in RFC 9110, section 5.6.2.
func IsHeaderName(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	})
}
