package plaintext_test

import (
	"testing"

	"punchcard/platform/plaintext"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		text     string
		address  bool
		unlinked string
	}{
		{"", false, ""},
		{"Ida", false, "Ida"},
		{"Anna-Maria O'Neill", false, "Anna-Maria O'Neill"},
		{"J.R. Smith", false, "J. R. Smith"},
		{"St. John", false, "St. John"},
		{"John 3rd", false, "John 3rd"},
		{"王小明", false, "王小明"},
		{"http://evil.example/x", true, "http: evil. example x"},
		{"HTTPS://EVIL.EXAMPLE", true, "HTTPS: EVIL. EXAMPLE"},
		{"evil.example", true, "evil. example"},
		{"evil。com", true, "evil。 com"},
		{"www.evil", true, "www. evil"},
		{"me@evil", true, "me evil"},
		{"mailto:me@evil.example", true, "mailto: me evil. example"},
		{"Call +48 600 123 456", false, "Call +"},
		{"You won 500 EUR! Claim the money now: hurry, there is little time", false,
			"You won 500 EUR! Claim the money now: h…"},
	} {
		if got := plaintext.HasAddress(c.text); got != c.address {
			t.Errorf("%q has an address: %v", c.text, got)
		}
		if got := plaintext.Unlinked(c.text, 40); got != c.unlinked {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.unlinked)
		}
		if again := plaintext.Unlinked(c.unlinked, 40); again != c.unlinked {
			t.Errorf("%q becomes %q", c.unlinked, again)
		}
	}
}
