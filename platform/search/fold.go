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
	return truncated(fields(text))
}

// truncated returns the words up to WordBytes.
func truncated(words []string) []string {
	short := make([]string, len(words))
	for i, word := range words {
		short[i] = truncate(word, WordBytes)
	}
	return short
}

// fields returns the folded words of a text in full length.
func fields(text string) []string {
	return strings.FieldsFunc(Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// truncate returns the characters of a word that fit into a number of bytes.
func truncate(word string, size int) string {
	if len(word) <= size {
		return word
	}
	for !utf8.RuneStart(word[size]) {
		size--
	}
	return word[:size]
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

// unspaced are the scripts that are written without spaces between words, or whose names have parts of one character.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham,
	unicode.Javanese,
}

// beginsPart reports whether people may search for the part of a word from a folded character on. Korean syllables are
// folded to their letters, of which only the first begins a syllable.
func beginsPart(r rune) bool {
	return r >= 0x1100 && r < 0x115f || unicode.IsOneOf(unspaced, r) && unicode.IsLetter(r)
}

// parts returns the beginnings of all parts of a word in a script without spaces, except the word itself, so that any
// part of it is found.
func parts(word string) (all []string) {
	for i, r := range word {
		if i > 0 && beginsPart(r) {
			all = append(all, truncate(word[i:], partBytes))
		}
	}
	return all
}

// pieces returns the words by which a word of a query is looked for. A long one in a script without spaces is cut where
// a part begins, because parts are indexed up to partBytes.
func pieces(word string) (all []string) {
	for len(word) > partBytes {
		piece := truncate(word, partBytes)
		next := strings.IndexFunc(word[len(piece):], beginsPart)
		if next < 0 {
			break
		}
		all, word = append(all, piece), word[len(piece)+next:]
	}
	return append(all, truncate(word, WordBytes))
}

// Joined returns a name without the space between its parts, as it is written in scripts without spaces; empty if one
// of the parts is in another script.
func Joined(first, second string) string {
	if beginsWord(first) && beginsWord(second) {
		return first + second
	}
	return ""
}

func beginsWord(name string) bool {
	first, _ := utf8.DecodeRuneInString(Fold(name))
	return beginsPart(first)
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
	names, texts := fields(strings.Join(d.Name, " ")), fields(strings.Join(d.Text, " "))
	name = list(truncated(names))
	var others []string
	for _, word := range names {
		others = append(others, parts(word)...)
	}
	others = append(others, truncated(texts)...)
	for _, word := range texts {
		others = append(append(others, endings(truncate(word, WordBytes))...), parts(word)...)
	}
	return name, list(others)
}
