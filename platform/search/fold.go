package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"punchcard/platform/keytext"
)

// plain spells letters that Unicode does not decompose.
var plain = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ð': "d", 'đ': "d", 'ħ': "h", 'ĸ': "k", 'ł': "l", 'ŋ': "n",
	'ø': "o", 'ŧ': "t", 'ƀ': "b", 'ɓ': "b", 'ɖ': "d", 'ɗ': "d", 'ǥ': "g", 'ɨ': "i", 'ƙ': "k", 'ƚ': "l", 'ɫ': "l",
	'ɵ': "o", 'ʉ': "u", 'ƴ': "y", 'ƶ': "z",
}

// Fold removes what people leave out when they search: case, accents, compatibility variants of letters, and
// characters without a shape. It is idempotent.
func Fold(text string) string {
	var folded strings.Builder
	folded.Grow(len(text))
	for _, letter := range norm.NFKD.String(text) {
		if unicode.Is(unicode.Mn, letter) || keytext.IsInvisible(letter) && !unicode.IsControl(letter) {
			continue
		}
		letter = unicode.ToLower(unicode.ToUpper(letter)) // some letters share only their upper case
		if spelt, found := plain[letter]; found {
			folded.WriteString(spelt)
		} else {
			folded.WriteRune(letter)
		}
	}
	return folded.String()
}

// split returns the folded words of a text, truncated to WordBytes. Words consist of letters, digits
// and marks.
func split(text string) []string {
	words := strings.FieldsFunc(Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	for i, word := range words {
		if len(word) > WordBytes {
			end := WordBytes
			for !utf8.RuneStart(word[end]) {
				end--
			}
			words[i] = word[:end]
		}
	}
	return words
}

// endings returns the suffixes of a word that ends with a long number, so that a phone number is
// found without its country code and a card number by its last digits.
func endings(word string) []string {
	start := len(strings.TrimRight(word, "0123456789"))
	if len(word)-start < LongNumber {
		return nil
	}
	var ends []string
	for i := max(start, 1); i <= len(word)-shortestEnding; i++ {
		ends = append(ends, word[i:])
	}
	return ends
}

// Columns returns the words as they are stored: without duplicates, each after a space.
func (d *Document) Columns() (name, words string) {
	var seen []string
	list := func(all []string) string {
		var column strings.Builder
		for _, word := range all {
			if len(seen) < DocumentWords && !slices.Contains(seen, word) {
				seen = append(seen, word)
				column.WriteString(" " + word)
			}
		}
		return column.String()
	}
	name = list(split(strings.Join(d.Name, " ")))
	others := split(strings.Join(d.Text, " "))
	for _, word := range others {
		others = append(others, endings(word)...)
	}
	return name, list(others)
}
