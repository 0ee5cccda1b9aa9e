package keytext

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIsAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"ida@example.org": true, "Ida.Berg+shop@mail.example.org": true, "josé@example.org": true, "ida@müller.example": true,
		"ida@xn--mller-kva.example": true, "a..b@docomo.example": true, ".a@docomo.example": true, "a.@docomo.example": true,
		"ida@localhost": true, "ida@my_host.example": true, "o'neil@example.org": true, "ida@例え.テスト": true,
		strings.Repeat("a", 242) + "@example.org": true,

		"": false, "ida": false, "@example.org": false, "ida@": false, "ida@.example": false, "ida@example.": false,
		"ida@a..example": false, "ida@ole@example.org": false, "ida berg@example.org": false, "ida@exam ple.org": false,
		`"ida"@example.org`: false, "ida(b)@example.org": false, "Ida <ida@example.org>": false, "ida@[127.0.0.1]": false,
		"ida@example.org,ole@example.org": false, "ida@example.org\r\nBcc:ole@example.org": false,
		"ida\u200b@example.org": false,
		"ida@exam!ple.org":      false, "ida@mül_ler.example": false, "ida@-müller.example": false, "ida@host:25": false,
		strings.Repeat("a", 243) + "@example.org": false,
	} {
		if got := IsAddress(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Both spellings of a domain are one key, and the domain is in ASCII on its way.
func TestSpellingsOfADomain(t *testing.T) {
	for text, want := range map[string][2]string{
		"Ida@MÜLLER.example":         {"ida@müller.example", "Ida@xn--mller-kva.example"},
		"ida@xn--mller-kva.example":  {"ida@müller.example", "ida@xn--mller-kva.example"},
		"ida@XN--MLLER-KVA.example":  {"ida@müller.example", "ida@XN--MLLER-KVA.example"},
		"ida@straße.example":         {"ida@straße.example", "ida@xn--strae-oqa.example"},
		"josé@xn--mller-kva.example": {"josé@müller.example", "josé@xn--mller-kva.example"},
		"josé@müller.example":        {"josé@müller.example", "josé@müller.example"},
		"ida@xn--a.example":          {"ida@xn--a.example", "ida@xn--a.example"}, // is no A-label
		"ida@example.org":            {"ida@example.org", "ida@example.org"},
		"xn--mller-kva":              {"xn--mller-kva", "xn--mller-kva"}, // is no address
	} {
		if got := [2]string{Fold(text), ASCIIAddress(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestASCIIURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://müller.example":             "https://xn--mller-kva.example",
		"https://müller.example:8443/ü?a=ü":  "https://xn--mller-kva.example:8443/ü?a=ü",
		"https://loyalty.example/müller":     "https://loyalty.example/müller",
		"http://[::1]:8080":                  "http://[::1]:8080",
		"":                                   "",
		"https://müller.example?back=//m.de": "https://xn--mller-kva.example?back=//m.de",
	} {
		if got := ASCIIURL(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever the host, folding an address again changes nothing, and its domain is the same in ASCII before and after.
func TestFoldedAddresses(t *testing.T) {
	domain := rapid.OneOf(
		rapid.StringMatching(`[a-zäöüßéñλσςжаяאبह例ￃＡ]{1,8}\.example`),
		rapid.StringMatching(`xn--[a-z0-9-]{1,10}\.org`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		address := "ida@" + domain.Draw(t, "domain")
		key := Fold(address)
		if again := Fold(key); again != key {
			t.Fatalf("%q is %q, then %q", address, key, again)
		}
	})
}
