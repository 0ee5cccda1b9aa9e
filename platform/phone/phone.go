// Package phone compares phone numbers that are written in different ways.
package phone

import (
	"strings"

	"github.com/nyaruka/phonenumbers"

	"punchcard/platform/keytext"
)

// unknown is the library's name for no country. Only numbers with a plus can be parsed then.
const unknown = "ZZ"

// separators stand between the digits of a number as people write it.
const separators = " -./()‐‑‒–—−"

// Plain returns a number without separators: digits, perhaps after a plus. ok is false if the text is not a number.
func Plain(text string) (number string, ok bool) {
	number = strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, keytext.Clean(text))
	digits := strings.TrimPrefix(number, "+")
	return number, digits != "" && strings.Trim(digits, "0123456789") == ""
}

// IsNumber reports whether a text consists of digits, separators, and perhaps a plus in front.
func IsNumber(text string) bool {
	_, ok := Plain(text)
	return ok
}

// Key returns the form in which numbers are compared: E.164 (+48600123456), or the digits of a number that the
// numbering plans do not know. A number without a plus is one of the country, a code of two
// letters; empty for none. Other texts are compared like keytext.Fold.
func Key(text, country string) string {
	number, ok := Plain(text)
	if !ok {
		return keytext.Fold(text)
	}
	if key, known := parseNumber(number, text, country); known {
		return key
	}
	return strings.TrimPrefix(number, "+")
}

// Dialled returns the number as a gateway dials it: E.164 where it is known, otherwise the text without separators.
func Dialled(text, country string) string {
	if key := Key(text, country); strings.HasPrefix(key, "+") {
		return key
	}
	number, _ := Plain(text)
	return number
}

// Part returns what a part of a number is looked for by in keys: the key of a whole number, the digits of others.
func Part(text, country string) string {
	if key := Key(text, country); strings.HasPrefix(key, "+") {
		return key
	}
	if number, ok := Plain(text); ok {
		return strings.TrimPrefix(number, "+")
	}
	return keytext.Fold(text)
}

// parseNumber returns the number in E.164, if it is possible. text is the number as it was written.
func parseNumber(number, text, country string) (key string, known bool) {
	if rest, abroad := strings.CutPrefix(number, "00"); abroad {
		// Most countries dial 00 before the code of another one.
		if key, known := format("+"+rest, unknown, phonenumbers.IsValidNumber); known {
			return key, true
		}
	}
	if strings.HasPrefix(number, "+") {
		// The library knows that the zero of "+44 (0) 20" is not dialled from abroad.
		return format(keytext.Clean(text), unknown, phonenumbers.IsPossibleNumber)
	}
	if country == "" {
		return "", false
	}
	return format(number, country, phonenumbers.IsPossibleNumber)
}

// format returns the E.164 form of a number that is accepted. Numbers such as 0000000009 in Thailand, of which each
// reading drops another zero, have none.
func format(number, region string, accepts func(*phonenumbers.PhoneNumber) bool) (key string, ok bool) {
	parsed, err := phonenumbers.Parse(number, region)
	if err != nil || !accepts(parsed) {
		return "", false
	}
	key = phonenumbers.Format(parsed, phonenumbers.E164)
	again, err := phonenumbers.Parse(key, unknown)
	return key, err == nil && phonenumbers.Format(again, phonenumbers.E164) == key
}
