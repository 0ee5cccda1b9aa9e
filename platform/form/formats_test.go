package form

import "testing"

func TestIsEmail(t *testing.T) {
	for text, want := range map[string]bool{
		"ida@example.com": true, "Ida.Berg+shop@mail.example.com": true, "ü@example.com": true, "a@b.c": true,
		"": false, "ida": false, "@example.com": false, "ida@": false, "ida@example": false, "ida@example.": false,
		"ida@.example": false, "ida@berg@example.com": false, "ida berg@example.com": false, "ida@exam ple.com": false,
		"<ida@example.com>": false, "ida@example.com,ole@example.com": false, "ida@example.com;": false,
		"ida@example.com\r\nBcc:ole@example.com": false, "ida\t@example.com": false,
		"ida@127.0.0.1": false, "ida@[127.0.0.1]": false, "ida@[IPv6:::1]": false, "ida@127.0.0.1.": false,
		"ida@2.example": true, "ida@1.2.3.de": true,
	} {
		if got := isEmail(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIsURL(t *testing.T) {
	for text, want := range map[string]bool{
		"https://example.com/a?b=c": true, "http://localhost:8080": true, "HTTP://example.com": true, "": false,
		"example.com": false, "ftp://example.com": false, "https://": false, "javascript:alert(1)": false, "//a.b": false,
	} {
		if got := isURL(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIsHeaderName(t *testing.T) {
	for text, want := range map[string]bool{
		"X-Key": true, "!#$%&'*+-.^_`|~09azAZ": true, "a b": false, "a:b": false, "ü": false, "a\"": false, "(a)": false,
		"a\\": false, "a\t": false, "\x7f": false,
	} {
		if got := IsHeaderName(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
