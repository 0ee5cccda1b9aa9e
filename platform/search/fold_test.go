package search

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"punchcard/platform/keytext"
)

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Zażółć GĘŚLĄ jaźń": "zazolc gesla jazn", "Łódź": "lodz", "SØREN Ærø": "soren aero",
		"Straße STRAẞE": "strasse strasse", "Đorđe": "dorde", "Þórður": "thordur", "œuvre": "oeuvre", "İıI": "iii",
		"ﬁancé": "fiance", "Σίσυφος": "σισυφοσ", "e\u0301e": "ee", "Ǿ": "o", "№ ½": "no 1⁄2", "ａＢ": "ab",
		"한": "\u1112\u1161\u11ab",
	} {
		if got := Fold(text); got != want {
			t.Errorf("%q folds to %q, want %q", text, got, want)
		}
	}
}

// Every letter folds to what stays as it is, in either case, and is not lost unless it is an accent that
// stands alone: it could not be searched for.
func TestFoldEveryLetter(t *testing.T) {
	for letter := rune(0); letter <= unicode.MaxRune; letter++ {
		folded := Fold(string(letter))
		if again := Fold(folded); again != folded {
			t.Errorf("%q (%U) folds to %q and then to %q", letter, letter, folded, again)
		}
		isLetter := strings.ContainsFunc(norm.NFKD.String(string(letter)), func(r rune) bool {
			return unicode.IsLetter(r) && !keytext.IsInvisible(r)
		})
		if isLetter && len(split(string(letter))) == 0 {
			t.Errorf("%q (%U) is no word", letter, letter)
		}
		if upper := Fold(string(unicode.ToUpper(letter))); isLetter && upper != folded {
			t.Errorf("%q (%U) folds to %q, in the other case to %q", letter, letter, folded, upper)
		}
	}
}

func TestSplit(t *testing.T) {
	long := strings.Repeat("ż", WordBytes) + strings.Repeat("中", WordBytes)
	for text, want := range map[string][]string{
		"":                              nil,
		" .,-":                          nil,
		"Jan.Nowak@Poczta.PL":           {"jan", "nowak", "poczta", "pl"},
		"a_b%c\x00d\xffe":               {"a", "b", "c", "d", "e"},
		long:                            {strings.Repeat("z", WordBytes)},
		"x" + long[2*WordBytes:] + " y": {"x" + strings.Repeat("中", WordBytes/3), "y"},
	} {
		if got := split(text); !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
}

func TestEndings(t *testing.T) {
	for word, want := range map[string][]string{
		"": nil, "12345": nil, "anna12345": nil, "123456": {"23456", "3456", "456", "56"},
		"card123456": {"123456", "23456", "3456", "456", "56"}, "123456x": nil,
	} {
		if got := endings(word); !slices.Equal(got, want) {
			t.Errorf("%q ends with %q, want %q", word, got, want)
		}
	}
}

func TestColumnsAreBounded(t *testing.T) {
	var texts []string
	for i := range 3 * DocumentWords {
		texts = append(texts, strings.Repeat("a", i%WordBytes)+strings.Repeat("b", i/WordBytes+1))
	}
	document := Document{Name: texts, Text: []string{"never"}}
	name, words := document.Columns()
	if found := len(strings.Fields(name)); found != DocumentWords || words != "" {
		t.Errorf("%d words and %q", found, words)
	}
}
