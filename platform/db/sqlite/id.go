package sqlite

import "encoding/hex"

// SQLite stores UUIDs as 16 bytes instead of 36: more keys share a page and are compared faster. This happens here for
// every text in the canonical form and nowhere else, so that stored values and parameters always match.

const canonicalLength, packedLength = 36, 16

// pack accepts only the canonical form: lower case, with hyphens in their places.
func pack(text string) (id [packedLength]byte, ok bool) {
	if len(text) != canonicalLength || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return id, false
	}
	n := 0
	for i := 0; i < canonicalLength; i += 2 {
		if text[i] == '-' {
			i++
		}
		high, low := digits[text[i]], digits[text[i+1]]
		if high > 15 || low > 15 {
			return id, false
		}
		id[n] = high<<4 | low
		n++
	}
	return id, true
}

// digits holds the value of each hexadecimal digit in lower case, and 255 for other bytes. A table has no branches,
// which the processor could not predict for random digits.
var digits = func() (values [256]byte) {
	for c := range values {
		values[c] = 255
	}
	for value, c := range "0123456789abcdef" {
		values[c] = byte(value)
	}
	return values
}()

func unpack(id []byte) string {
	var text [canonicalLength]byte
	hex.Encode(text[0:8], id[0:4])
	text[8] = '-'
	hex.Encode(text[9:13], id[4:6])
	text[13] = '-'
	hex.Encode(text[14:18], id[6:8])
	text[18] = '-'
	hex.Encode(text[19:23], id[8:10])
	text[23] = '-'
	hex.Encode(text[24:36], id[10:16])
	return string(text[:])
}
