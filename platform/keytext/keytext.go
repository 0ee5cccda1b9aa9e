// Package keytext writes keys that people type and paste, such as e-mail addresses, card numbers and codes, in one form,
// so that two keys that look alike are equal.
package keytext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean drops format and control characters, and all others that have no shape, turns every kind of space into a plain
// one, trims spaces, and composes letters (NFC). Case and compatibility variants stay. Clean is idempotent.
func Clean(text string) string {
	if isPlain(text) {
		return strings.Trim(text, " ")
	}
	// Marks that an invisible character kept apart from their letter are composed after it was dropped.
	return strings.Trim(norm.NFC.String(strings.Map(visible, text)), " ")
}

// Fold returns the clean text in lower case, for keys whose case does not count. It is idempotent.
func Fold(text string) string {
	return norm.NFC.String(strings.ToLower(Clean(text))) // letters in lower case may compose further
}

// isPlain reports whether a text has printable ASCII characters alone.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// visible returns a plain space for spaces and ends of lines, a negative number for characters without a shape, and
// every other character itself.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == utf8.RuneError, !IsInvisible(r):
		return r
	}
	return -1
}

// IsInvisible reports whether a character is a control or format character, or one that Unicode lets programs ignore.
func IsInvisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
