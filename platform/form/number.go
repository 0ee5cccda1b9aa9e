package form

import (
	"math"
	"strings"
)

// splitNumber splits [+-]digits[.digits]. One of the two digit strings may be empty, but not both.
func splitNumber(text string) (negative bool, whole, fraction string, ok bool) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		negative, text = text[0] == '-', text[1:]
	}
	whole, fraction, _ = strings.Cut(text, ".")
	return negative, whole, fraction, len(whole)+len(fraction) > 0 && isDigits(whole) && isDigits(fraction)
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// ParseDecimal parses a decimal number as an integer of units of 10^-digits. It rounds half away from zero. Exponents
// and thousands separators are not allowed. ok is false for a number that does not fit 64 bits.
func ParseDecimal(text string, digits int) (units int64, ok bool) {
	negative, whole, fraction, ok := splitNumber(text)
	if !ok {
		return 0, false
	}
	var n uint64 // at most 2^63 between the steps, so that none overflows
	for i := range len(whole) + digits {
		digit := byte('0')
		if i < len(whole) {
			digit = whole[i]
		} else if i-len(whole) < len(fraction) {
			digit = fraction[i-len(whole)]
		}
		if n > math.MaxInt64/10 {
			return 0, false
		}
		n = n*10 + uint64(digit-'0')
	}
	if len(fraction) > digits && fraction[digits] >= '5' {
		n++
	}
	switch {
	case n <= math.MaxInt64 && !negative:
		return int64(n), true
	case n <= -math.MinInt64 && negative:
		return -int64(n), true
	}
	return 0, false
}

// parseInteger parses a whole number, with or without a fraction of zeros. fractional reports that the text is a
// number, but not a whole one.
func parseInteger(text string) (n int64, fractional, ok bool) {
	_, _, fraction, ok := splitNumber(text)
	if !ok {
		return 0, false, false
	}
	if strings.Trim(fraction, "0") != "" {
		return 0, true, false
	}
	n, ok = ParseDecimal(text, 0)
	return n, false, ok
}

// switchWord returns the word of a switch in lower case, without white space and quotes around it: some clients send
// '0' with quotes.
func switchWord(text string) string {
	return trim(strings.Trim(trim(strings.ToLower(text)), `'"`))
}

// ParseBool parses 1, true, yes, on and 0, false, no, off in any case, with or without quotes around them.
func ParseBool(text string) (value, ok bool) {
	switch switchWord(text) {
	case "1", "true", "yes", "on":
		return true, true
	case "0", "false", "no", "off":
		return false, true
	}
	return false, false
}

// ParseActive is ParseBool with the further words active and inactive.
func ParseActive(text string) (active, ok bool) {
	switch switchWord(text) {
	case "active":
		return true, true
	case "inactive":
		return false, true
	}
	return ParseBool(text)
}

// Active reads the field active, which must have a value, like ParseActive.
func (g *Group) Active() bool {
	active, ok := ParseActive(g.Text("active", NotBlank))
	if !ok && !g.Failed("active") {
		g.AddError("active", UnknownChoice)
	}
	return active
}

// IsTrue parses a switch that accepts any text. Blank, 0, false, null, no, off and inactive mean false, in any case and
// with or without quotes around them; everything else means true.
func IsTrue(text string) bool {
	switch switchWord(text) {
	case "", "0", "false", "null", "no", "off", "inactive":
		return false
	}
	return true
}

// IsUUID reports whether text has exactly the 36-character form of a UUID, in any case.
func IsUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
