package keytext

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// MaxAddress is the maximum length of an e-mail address, in bytes.
const MaxAddress = 254

// IsAddress reports whether a text is an e-mail address to which e-mails can be sent, alone and without a name. It is
// at a host that has a name. Its local part may have dots in places that need quotation marks in an e-mail, as in
// a..b@example.org: some providers have given such addresses away.
func IsAddress(text string) bool {
	local, domain := cutAddress(text)
	if local == "" || len(text) > MaxAddress || strings.ContainsFunc(local, notInLocal) {
		return false
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if isPlain(domain) {
		ascii = domain
	} else if err != nil {
		return false
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" || strings.ContainsFunc(label, notInLabel) {
			return false
		}
	}
	return true
}

// notInLocal reports whether a character has a meaning of its own in the headers of e-mails, or no shape.
func notInLocal(r rune) bool {
	return unicode.IsSpace(r) || IsInvisible(r) || strings.ContainsRune(`"(),:;<>@[\]`, r)
}

func notInLabel(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
}

// cutAddress returns the parts of an address around its last @.
func cutAddress(text string) (local, domain string) {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return "", text
	}
	return text[:at], text[at+1:]
}

// ASCIIAddress returns an address as mail servers know it: its domain in ASCII (A-labels), as xn--mller-kva.example. An
// address whose local part is not ASCII stays: only servers that read all of Unicode (SMTPUTF8) take it.
func ASCIIAddress(address string) string {
	local, domain := cutAddress(address)
	if local == "" || !isPlain(local) {
		return address
	}
	return local + "@" + ASCIIHost(domain)
}

// ASCIIHost returns the name of a host in ASCII (A-labels), as resolvers and browsers know it. Others stay.
func ASCIIHost(name string) string {
	if isPlain(name) {
		return name
	}
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		return ascii
	}
	return name
}

// ASCIIURL returns a URL with its host in ASCII. Texts that are no URLs stay.
func ASCIIURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || isPlain(u.Host) {
		return text
	}
	before, after, _ := strings.Cut(text, "//")
	end := strings.IndexAny(after, "/?#")
	if end < 0 {
		end = len(after)
	}
	host := strings.TrimSuffix(after[:end], ":"+u.Port())
	return before + "//" + strings.Replace(after[:end], host, ASCIIHost(host), 1) + after[end:]
}

// readable returns a text in lower case with the domain of an e-mail address in Unicode, as people write it. So both
// spellings of a domain are one.
func readable(text string) string {
	local, domain := cutAddress(text)
	if local == "" || isPlain(domain) && !strings.Contains(domain, "xn--") {
		return text
	}
	if unicode, err := idna.Lookup.ToUnicode(domain); err == nil {
		return local + "@" + unicode
	}
	return text
}
