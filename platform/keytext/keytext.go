// Package keytext writes keys that people type and paste, such as e-mail addresses, card numbers and codes, in one
// form, so that two keys that look alike are equal.
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

// Fold returns the clean text in lower case, for keys whose case does not count, and the domain of an e-mail address in
// Unicode. It is idempotent.
func Fold(text string) string {
	return readable(norm.NFC.String(strings.ToLower(Clean(text)))) // letters in lower case may compose further
}

// lookAlikes are letters that are mistaken for digits, and the other way round.
var lookAlikes = strings.NewReplacer("O", "0", "I", "1", "L", "1")

// Loose returns a code without what people get wrong when they type it: case, everything but letters and digits, and
// letters that look like digits (O and 0; I, L and 1). Several codes can have the same loose form. It is idempotent.
func Loose(code string) string {
	return lookAlikes.Replace(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, Fold(code)))
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
