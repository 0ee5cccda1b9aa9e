package campaign

import (
	"strings"
	"testing"
)

func TestNamesOfCopies(t *testing.T) {
	for name, want := range map[string]string{
		"Ten off":                    "Ten off (copy)",
		strings.Repeat("ż", 255):     strings.Repeat("ż", 248) + " (copy)",
		strings.Repeat("ż", 248):     strings.Repeat("ż", 248) + " (copy)",
		strings.Repeat("ż", 3) + "x": "żżżx (copy)",
	} {
		if got := copyName(name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
