package template

import (
	"strings"
	"unicode/utf16"
)

// The characters of the GSM 7-bit alphabet. Those of the extension take two places.
const (
	gsmAlphabet = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtension = "\f^{}\\[~]|€"
)

// parts returns the length of a text message and the number of parts in which it is sent and paid for. The
// length is in characters of 7 bits, or of 16 bits if the text has others than those of the GSM alphabet.
func parts(text string) (length, parts int, sevenBit bool) {
	alone, joined := 160, 153
	sevenBit = true
	for _, r := range text {
		switch {
		case strings.ContainsRune(gsmAlphabet, r):
			length++
		case strings.ContainsRune(gsmExtension, r):
			length += 2
		default:
			sevenBit = false
		}
	}
	if !sevenBit {
		alone, joined, length = 70, 67, len(utf16.Encode([]rune(text)))
	}
	if length <= alone {
		return length, 1, sevenBit
	}
	return length, (length + joined - 1) / joined, sevenBit
}
