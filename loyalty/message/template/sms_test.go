package template

import (
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	for _, test := range []struct {
		text          string
		length, parts int
		sevenBit      bool
	}{
		{"", 0, 1, true},
		{strings.Repeat("a", 160), 160, 1, true},
		{strings.Repeat("a", 161), 161, 2, true},
		{strings.Repeat("a", 306), 306, 2, true},
		{strings.Repeat("a", 307), 307, 3, true},
		{strings.Repeat("€", 80), 160, 1, true},
		{"Øre@{}", 8, 1, true},
		{strings.Repeat("ż", 70), 70, 1, false},
		{strings.Repeat("ż", 71), 71, 2, false},
		{"a🎂", 3, 1, false},
	} {
		length, n, sevenBit := parts(test.text)
		if length != test.length || n != test.parts || sevenBit != test.sevenBit {
			t.Errorf("%q: %d, %d, %t, want %d, %d, %t", test.text, length, n, sevenBit, test.length, test.parts, test.sevenBit)
		}
	}
}
