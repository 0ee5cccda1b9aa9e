package phone

import (
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
	"pgregory.net/rapid"
)

func TestKey(t *testing.T) {
	for _, test := range []struct {
		country, key string
		texts        []string
	}{
		{"TH", "+66812345678", []string{"+66 81 234 5678", "0066812345678", "00 66 81-234-5678", "0812345678", "081-234 5678",
			"+66812345678", "+66 (0) 81 234 5678", "\u202a+66 81 234 5678\u202c"}},
		{"PL", "+48600123456", []string{"+48 600 123 456", "600 123 456", "600-123-456", "600.123.456", "48600123456",
			"0048600123456",
			"+48\u00a0600\u00a0123\u00a0456", "(600) 123/456"}},
		{"", "+48600123456", []string{"+48 600 123 456", "0048 600 123 456"}},
		{"", "600123456", []string{"600 123 456", "600-123-456"}},
		{"GB", "+442079460958", []string{"020 7946 0958", "+44 (0)20 7946 0958", "+442079460958"}},
		{"IT", "+390612345678", []string{"06 1234 5678", "+39 06 1234 5678"}},
		{"NO", "+4790000001", []string{"90 00 00 01", "+4790000001"}},
		{"US", "+12025550143", []string{"(202) 555-0143", "1-202-555-0143", "+1 202 555 0143"}},
		{"BR", "+5511987654321", []string{"(11) 98765-4321", "+55 11 98765-4321"}},
		{"PL", "12", []string{"12", "+12", "1 2"}},
		{"PL", "0", []string{"0"}},
		{"PL", "call me", []string{" Call me "}},
		{"PL", "", []string{"", " "}},
		{"XX", "600123456", []string{"600 123 456"}},
	} {
		for _, text := range test.texts {
			if got := Key(text, test.country); got != test.key {
				t.Errorf("%q in %s is %q, want %q", text, test.country, got, test.key)
			}
		}
	}
}

// An example of each country is the same number however it is written.
func TestKeyOfEveryCountry(t *testing.T) {
	for country := range phonenumbers.GetSupportedRegions() {
		example := phonenumbers.GetExampleNumber(country)
		if example == nil || !phonenumbers.IsValidNumber(example) {
			continue
		}
		want := phonenumbers.Format(example, phonenumbers.E164)
		for _, style := range []phonenumbers.PhoneNumberFormat{
			phonenumbers.E164, phonenumbers.INTERNATIONAL, phonenumbers.NATIONAL,
		} {
			text := phonenumbers.Format(example, style)
			if got := Key(text, country); IsNumber(text) && got != want {
				t.Errorf("%s: %q is %q, want %q", country, text, got, want)
			}
		}
		if got := Key("00"+want[1:], ""); got != want {
			t.Errorf("%s: with 00 in front, %s is %q", country, want, got)
		}
	}
}

func TestPartAndPlain(t *testing.T) {
	for text, want := range map[string]string{"600 12": "60012", "+48": "48",
		"600 123 456": "+48600123456", "x 1": "x 1"} {
		if got := Part(text, "PL"); got != want {
			t.Errorf("the part %q is %q, want %q", text, got, want)
		}
	}
	for text, valid := range map[string]bool{
		"+48 600-123.456": true, "1": true, "+": false, "": false, "48+600": false, "++48": false, "600x": false, "()": false,
		"123": true, "0": true, "48+": false, "12 34": true, "12-34": true, "+48a": false, "١٢٣": false, " 123": true,
	} {
		if IsNumber(text) != valid {
			t.Errorf("%q: %t", text, !valid)
		}
	}
	if got := Key("0000000009", "TH"); got != "0000000009" {
		t.Errorf("a number of zeros is %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text, country := rapid.StringMatching(`\+?[0-9 ()-]{0,20}`).Draw(t, "text"), rapid.SampledFrom([]string{
			"", "PL", "US", "TH", "IT", "ZZ"}).Draw(t, "country")
		if key := Key(text, country); strings.HasPrefix(key, "+") && Key(key, country) != key {
			t.Errorf("%q is %q and then %q", text, key, Key(key, country))
		}
	})
}
