// Package plaintext keeps what people type, such as their names, from becoming links in messages to others. Mail
// programs, telephones and browsers make links of everything that looks like an address or a telephone number.
package plaintext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// dots are the characters that separate the labels of host names, also in other scripts.
const dots = ".。．｡․"

// address matches what programs take for an address: a scheme, an at sign, www, or labels with a dot in between.
var address = regexp.MustCompile(`(?i)[a-z]{2,}:/|[@＠]|\bwww[` + dots + `]|[\p{L}\p{N}-]{2,}[` + dots + `]+\p{L}{2,}`)

// HasAddress reports whether a text looks as if it had the address of a web site or an e-mail address.
func HasAddress(text string) bool { return address.MatchString(text) }

// telephoneDigits is the number of digits that may be a telephone number.
const telephoneDigits = 5

// Unlinked returns a text of which no program makes a link: a blank follows each dot and colon, other signs of
// addresses become blanks, and digits are left out if there are as many as in a telephone number. It has at most the
// given number of characters. Names as people have them stay as they are.
func Unlinked(text string, length int) string {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case digits >= telephoneDigits && unicode.IsDigit(r):
		case strings.ContainsRune(`/\@＠_<>`, r):
			b.WriteByte(' ')
		case r == ':' || strings.ContainsRune(dots, r):
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return shortened(strings.Join(strings.Fields(b.String()), " "), length)
}

// shortened cuts a text after the number of characters, and shows that it did.
func shortened(text string, length int) string {
	if utf8.RuneCountInString(text) <= length {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:length-1])) + "…"
}
