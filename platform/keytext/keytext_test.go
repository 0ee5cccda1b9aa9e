package keytext

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// keys are of every kind and of several scripts.
var keys = []string{
	"ida@example.org", "josé@exämple.org", "+48600123456", "00012345", "SPRING-1", "PA/2031/04/17", "CAFÉ 250", "ärger",
	"김민준", "Ång-1", "ภาษาไทย", "नमस्ते", "王小明", "Привет-1",
}

func TestCleanDropsWhatNobodySees(t *testing.T) {
	dropped := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !IsInvisible(r) || unicode.IsSpace(r) {
			continue
		}
		dropped++
		for _, text := range []string{string(r) + "a-1", "a-1" + string(r), "a" + string(r) + "-1",
			" " + string(r) + " a-1"} {
			if got := Clean(text); got != "a-1" {
				t.Errorf("%q is %q", text, got)
			}
		}
	}
	if dropped < 4000 { // most are reserved
		t.Errorf("only %d characters are dropped", dropped)
	}
	for _, r := range []rune{0x200b, 0x200c, 0x200d, 0x200e, 0x202a, 0x202c, 0x2060, 0x2066, 0x2069, 0xfeff,
		0xad, 0x61c, 0x7f, 0x1b, 0xfe0f, 0x3164, 0xe0061} {
		if !IsInvisible(r) {
			t.Errorf("%U is visible", r)
		}
	}
}

func TestCleanComposesAndTrims(t *testing.T) {
	for _, key := range keys {
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			for _, around := range []string{"", " ", "\t", "\r\n", "\u00a0", "\u3000", "\u2028", "\ufeff", "\u200b"} {
				if got := Clean(around + form.String(key) + around); got != norm.NFC.String(key) {
					t.Errorf("%q with %q is %q", key, around, got)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"": "", " \u200b ": "", "a\tb": "a b", "a\u00a0b": "a b", "A b": "A b", "e\u200d\u0301": "é", "１": "１",
		"a\ufffd": "a\ufffd",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := Fold(" JOSE\u0301@X.org\u200b"); got != "josé@x.org" {
		t.Errorf("folded to %q", got)
	}
}

func TestLoose(t *testing.T) {
	for code, want := range map[string]string{
		"U9S3RM7F": "U9S3RM7F", "u9s3rm7f": "U9S3RM7F", "SPRING-1": "SPR1NG1", "spring 1": "SPR1NG1", "SPR1NGl": "SPR1NG1",
		"OO0o": "0000", "iIlL1": "11111", "Ärger/é": "ÄRGERÉ", "a\u0301": "Á", "优惠-１": "优惠１", "-- ": "", "ß": "ß",
	} {
		if got := Loose(code); got != want || Loose(got) != got {
			t.Errorf("%q is %q, want %q", code, got, want)
		}
	}
}

func TestCleanAndFoldAreIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if first := Clean(text); Clean(first) != first || strings.ContainsFunc(first, IsInvisible) {
			t.Errorf("%q is %q and then %q", text, first, Clean(first))
		}
		if first := Fold(text); Fold(first) != first || Fold(Clean(text)) != first {
			t.Errorf("%q folds to %q and then %q", text, first, Fold(first))
		}
	})
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if first := Fold(string(r)); Fold(first) != first {
			t.Errorf("%U folds to %q and then %q", r, first, Fold(first))
		}
	}
}
