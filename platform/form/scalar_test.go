package form

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/platform/fault"
)

func TestCheckbox(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, " ": false, "0": false, "false": false, "FALSE": false, "null": false,
		"Null": false, "no": false, "Off": false, "inactive": false,
		"'0'": false, `"0"`: false, " ' 0 ' ": false, `"False"`: false, "'null'": false, "''": false, "'no'": false,
		"'1'": true, `"true"`: true, "'active'": true, "'2'": true,
		"1": true, "true": true, "on": true, "00": true, "anything": true, "2": true, "[]": true,
	} {
		g := read(t, "f="+url.QueryEscape(text))
		if got := g.Checkbox("f"); got != want || g.Err() != nil {
			t.Errorf("%q: %t, %v", text, got, g.Err())
		}
	}
}

func TestParseBool(t *testing.T) {
	for text, want := range map[string][2]bool{
		"1": {true, true}, "true": {true, true}, "Yes": {true, true}, "ON": {true, true},
		"0": {false, true}, "False": {false, true}, "no": {false, true}, "off": {false, true},
		" 1": {true, true}, "'1'": {true, true}, "'0'": {false, true}, `"off" `: {false, true},
		"": {}, "''": {}, "2": {}, "null": {},
	} {
		if value, ok := ParseBool(text); value != want[0] || ok != want[1] {
			t.Errorf("ParseBool(%q) = %t, %t", text, value, ok)
		}
		if value, ok := ParseActive(text); value != want[0] || ok != want[1] {
			t.Errorf("ParseActive(%q) = %t, %t", text, value, ok)
		}
	}
	for text, want := range map[string]bool{"active": true, "Inactive": false, " 'inactive' ": false, `"ACTIVE"`: true} {
		if value, ok := ParseActive(text); value != want || !ok {
			t.Errorf("ParseActive(%q) = %t, %t", text, value, ok)
		}
		if value, ok := ParseBool(text); value || ok {
			t.Errorf("ParseBool(%q) = %t, %t", text, value, ok)
		}
	}
}

func TestIntegerAndDecimal(t *testing.T) {
	for _, c := range []struct {
		text           string
		integer, cents int64
		wrong          string // i: no integer, d: no decimal of two digits
	}{
		{"0", 0, 0, ""},
		{"+7", 7, 700, ""},
		{"-12", -12, -1200, ""},
		{" 3 ", 3, 300, ""},
		{"007", 7, 700, ""},
		{"10.00", 10, 1000, ""},
		{"5.", 5, 500, ""},
		{".5", 0, 50, "i"},
		{"1.005", 0, 101, "i"},
		{"1.0049999999999999999999999999", 0, 100, "i"},
		{"-1.005", 0, -101, "i"},
		{"-0.001", 0, 0, "i"},
		{"9223372036854775807", math.MaxInt64, 0, "d"},
		{"-9223372036854775808", math.MinInt64, 0, "d"},
		{"9223372036854775808", 0, 0, "id"},
		{"-9223372036854775809", 0, 0, "id"},
		{"92233720368547758.07", 0, math.MaxInt64, "i"},
		{"-92233720368547758.08", 0, math.MinInt64, "i"},
		{"92233720368547758.075", 0, 0, "id"},
		{"18446744073709551617", 0, 0, "id"},
		{strings.Repeat("9", 400), 0, 0, "id"},
		{strings.Repeat("0", 400) + "1", 1, 100, ""},
		{"1e3", 0, 0, "id"},
		{"1,5", 0, 0, "id"},
		{"1 000", 0, 0, "id"},
		{"1.2.3", 0, 0, "id"},
		{"--1", 0, 0, "id"},
		{"-", 0, 0, "id"},
		{".", 0, 0, "id"},
		{"NaN", 0, 0, "id"},
		{"0x10", 0, 0, "id"},
		{"１", 0, 0, "id"},
	} {
		g := read(t, "i="+url.QueryEscape(c.text)+"&d="+url.QueryEscape(c.text))
		if i, d := g.Integer("i"), g.Decimal("d", 2); i != c.integer || d != c.cents {
			t.Errorf("%.30q: %d, %d", c.text, i, d)
		}
		for _, name := range []string{"i", "d"} {
			if g.Failed(name) != strings.Contains(c.wrong, name) {
				t.Errorf("%.30q: %s failed = %t", c.text, name, g.Failed(name))
			}
		}
	}
}

func TestParseDecimalReadsWhatFormatDecimalPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, digits := rapid.Int64().Draw(t, "n"), rapid.IntRange(0, 18).Draw(t, "digits")
		text := formatDecimal(n, digits)
		if got, ok := ParseDecimal(text, digits); !ok || got != n {
			t.Fatalf("%d with %d digits is %s, read as %d, %t", n, digits, text, got, ok)
		}
		if got, _, ok := parseInteger(text); digits == 0 && (!ok || got != n) {
			t.Fatalf("%s read as %d, %t", text, got, ok)
		}
	})
}

func TestRules(t *testing.T) {
	integer := func(rules ...Rule) func(*Group) { return func(g *Group) { g.Integer("f", rules...) } }
	cents := func(rules ...Rule) func(*Group) { return func(g *Group) { g.Decimal("f", 2, rules...) } }
	text := func(rules ...Rule) func(*Group) { return func(g *Group) { g.Text("f", rules...) } }
	notX := fault.New(fault.Fields, "test", "Not X.")
	isX := func(s string) bool { return s == "x" }
	for _, c := range []struct {
		text string
		read func(*Group)
		want string // the messages, one a line
	}{
		{"", text(), ""},
		{" ", text(NotBlank, MaxLength(0)), "This value should not be blank."},
		{"", integer(AtLeast(0), NotBlank, GreaterThan(0)), "This value should not be blank."},
		{"", integer(AtLeast(1)), ""},
		{"-1", integer(AtLeast(0)), "This value should be 0 or more."},
		{"0", integer(AtLeast(0), NotBlank), ""},
		{"0", cents(GreaterThan(0)), "This value should be greater than 0."},
		{"0.01", cents(GreaterThan(0)), ""},
		{"0", cents(AtLeast(0), NotZero(notX)), "Not X."},
		{"-0.01", cents(AtLeast(0), NotZero(notX)), "This value should be 0 or more."},
		{"0.01", cents(AtLeast(0), NotZero(notX)), ""},
		{"999999998.99", cents(LessThan(99999999900)), ""},
		{"999999999", cents(LessThan(99999999900)), "This value should be less than 999999999."},
		{"2", cents(LessThan(150), AtLeast(205), GreaterOrEqual(-5)),
			"This value should be less than 1.5.\nThis value should be 2.05 or more."},
		{"-1", cents(GreaterOrEqual(-5)), "This value should be greater than or equal to -0.05."},
		{"-1", integer(GreaterOrEqual(0), LessThan(99)), "This value should be greater than or equal to 0."},
		{"99", integer(LessThan(99)), "This value should be less than 99."},
		{"1.5", integer(LessThan(1)), NotValid.Message},
		{"1.5", integer(NotBlank, Whole, LessThan(1)), "This value should be of type integer."},
		{"2.0", integer(Whole), ""},
		{"x", integer(Whole), NotValid.Message},
		{"łłł", text(MaxLength(3)), ""},
		{"łłłł", text(NotBlank, MaxLength(3)), "This value is too long. It should have 3 characters or less."},
		{"y", text(Matches(notX, isX), MaxLength(1)), "Not X."},
		{" x ", text(Matches(notX, isX)), ""},
		{"b", func(g *Group) { g.Choice("f", []string{"a", "b"}, NotBlank) }, ""},
		{"B", func(g *Group) { g.Choice("f", []string{"a", "b"}, NotBlank) }, NotValid.Message},
		{"", func(g *Group) { g.Choice("f", []string{"a", "b"}) }, ""},
		{"{0192d9a0-0000-7000-8000-00000000abcd}", func(g *Group) { g.UUID("f") }, NotValid.Message},
		{"2017-02-29", func(g *Group) { g.Date("f") }, NotValid.Message},
		{"", func(g *Group) { g.DateTime("f", nil, NotBlank) }, Blank.Message},
	} {
		g := read(t, "f="+url.QueryEscape(c.text))
		c.read(g)
		if got := strings.Join(problems(t, g, "f"), "\n"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		c.read(g)
		if got := strings.Join(problems(t, g, "f"), "\n"); got != c.want {
			t.Errorf("%q read twice: %q", c.text, got)
		}
	}
}

func TestTextsOfAllSorts(t *testing.T) {
	g := read(t, "p=+a+b+&blank=+&c=level&id=0192D9A0-0000-7000-8000-00000000ABCD&d=2017-10-05T23:59%2B0200")
	day := time.Date(2017, 10, 5, 0, 0, 0, 0, time.UTC)
	if p, blank := g.Verbatim("p", MaxLength(5)), g.Verbatim("blank"); p != " a b " || blank != "" {
		t.Errorf("verbatim %q, %q", p, blank)
	}
	if c := g.Choice("c", []string{"segment", "level"}); c != "level" {
		t.Errorf("choice %q", c)
	}
	if id := g.UUID("id"); id != "0192d9a0-0000-7000-8000-00000000abcd" {
		t.Errorf("id %q", id)
	}
	if d := g.Date("d"); !d.Equal(day) {
		t.Errorf("date %v", d)
	}
	if err := g.Err(); err != nil {
		t.Error(err)
	}
}

func TestIsUUID(t *testing.T) {
	valid := "0192d9a0-0000-7000-8000-00000000aBcD"
	if !IsUUID(valid) {
		t.Errorf("%s is refused", valid)
	}
	for _, text := range []string{
		"", valid[:35], valid + "0", "{" + valid[1:35] + "}", strings.ReplaceAll(valid, "-", "0"), "g" + valid[1:],
		strings.ReplaceAll(valid, "-", ""), "urn:uuid:" + valid, valid[:8] + "0" + valid[9:],
	} {
		if IsUUID(text) {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestParseDateTime(t *testing.T) {
	warsaw := time.FixedZone("", 2*60*60)
	for text, want := range map[string]string{
		"2017-10-05 10:59":                "2017-10-05T10:59:00+02:00",
		"2017-10-05 10:59:58":             "2017-10-05T10:59:58+02:00",
		"2017-10-05T10:59":                "2017-10-05T10:59:00+02:00",
		"2017-10-05T10:59:58.123456789Z":  "2017-10-05T12:59:58+02:00",
		"2017-10-05T10:59Z":               "2017-10-05T12:59:00+02:00",
		"2017-10-05T10:59:00+02:00":       "2017-10-05T10:59:00+02:00",
		"2017-10-05T10:59:00-0130":        "2017-10-05T14:29:00+02:00",
		"2017-10-05":                      "2017-10-05T00:00:00+02:00",
		"2016-02-29 23:59:59":             "2016-02-29T23:59:59+02:00",
		"0001-01-01":                      "0001-01-01T00:00:00+02:00",
		"9999-12-31 23:59:59":             "9999-12-31T23:59:59+02:00",
		"0001-01-01T00:00Z":               "", // the zero time
		"0000-01-01":                      "",
		"2017-02-29":                      "",
		"2017-04-31 10:00":                "",
		"2017-13-01":                      "",
		"2017-00-10":                      "",
		"2017-10-00":                      "",
		"2017-10-05 24:00":                "",
		"2017-10-05 10:60":                "",
		"2017-10-05 10:59:60":             "",
		"2017-10-05 9:59":                 "",
		"2017-10-05 10":                   "",
		"2017-10-05 ":                     "",
		"2017-10-05Z":                     "",
		"2017-10-05 10:59 ":               "",
		"2017-10-05  10:59":               "",
		"2017-10-05T10:59:58.":            "",
		"2017-10-05T10:59.5":              "",
		"2017-10-05T10:59:00 0200":        "",
		"2017-10-05T10:59:00+15:00":       "",
		"2017-10-05T10:59:00+02":          "",
		"2017-10-05T10:59:00+02:60":       "",
		"2017-10-05T10:59:00Z+02:00":      "",
		"2017-10-5":                       "",
		"17-10-05":                        "",
		"+017-10-05":                      "",
		"05.10.2017":                      "",
		"1507201140":                      "",
		"tomorrow":                        "",
		"":                                "",
		"2017-10-05T10:59:00" + "\u0660Z": "",
	} {
		got, ok := ParseDateTime(text, warsaw)
		if ok != (want != "") || ok && got.Format(time.RFC3339) != want || !ok && !got.IsZero() {
			t.Errorf("ParseDateTime(%q) = %v, %t; want %s", text, got, ok, want)
		}
		day, ok := ParseDate(text)
		if ok && day.Format("2006-01-02") != text[:10] || ok == (want == "") && text != "0001-01-01" {
			t.Errorf("ParseDate(%q) = %v, %t", text, day, ok)
		}
	}
	want := time.Date(2017, 10, 5, 10, 59, 0, 0, time.UTC)
	if got, ok := ParseDateTime("2017-10-05 10:59", nil); !ok || !got.Equal(want) {
		t.Errorf("without a zone: %v, %t", got, ok)
	}
}

// A local time that the clock skips is the moment of the change. One that it shows twice is the first, and for an end
// the second.
func TestDateTimesAtClockChanges(t *testing.T) {
	santiago, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, begin, end string }{
		{"2027-09-05", "2027-09-05T01:00:00-03:00", "2027-09-05T01:00:00-03:00"},
		{"2027-09-05 00:30:10", "2027-09-05T01:00:00-03:00", "2027-09-05T01:00:00-03:00"},
		{"2027-09-05T01:30", "2027-09-05T01:30:00-03:00", "2027-09-05T01:30:00-03:00"},
		{"2027-04-03 23:59:59", "2027-04-03T23:59:59-03:00", "2027-04-03T23:59:59-04:00"},
		{"2027-04-03T23:59:59.5", "2027-04-03T23:59:59-03:00", "2027-04-03T23:59:59-04:00"},
		{"2027-04-03T23:59:59-03:00", "2027-04-03T23:59:59-03:00", "2027-04-03T23:59:59-03:00"},
		{"2027-04-04T02:59:59Z", "2027-04-03T23:59:59-03:00", "2027-04-03T23:59:59-03:00"},
		{"2027-04-04", "2027-04-04T00:00:00-04:00", "2027-04-04T00:00:00-04:00"},
	} {
		begin, _ := ParseDateTime(c.text, santiago)
		end, _ := ParseEnd(c.text, santiago)
		if begin.Format(time.RFC3339) != c.begin || end.Format(time.RFC3339) != c.end {
			t.Errorf("%s: got %s and %s, want %s and %s", c.text, begin, end, c.begin, c.end)
		}
	}
}

func FuzzParseDateTime(f *testing.F) {
	for _, seed := range []string{
		"2017-10-05", "2017-10-05 10:59", "2017-10-05T10:59:58.5Z", "2017-10-05T10:59:58+0200", "2016-02-29 00:00-14:00",
		"0001-01-01T00:00+01:00", "9999-12-31 23:59-14:00", "2017-02-29",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseDateTime(text, time.UTC)
		if !ok {
			if !got.IsZero() {
				t.Fatalf("%q is refused with %v", text, got)
			}
			return
		}
		seconds := len(text) > 16 && text[16] == ':'
		layouts := []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04Z07:00", "2006-01-02 15:04Z0700"}
		if seconds {
			layouts = []string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z0700"}
		}
		agrees := slices.ContainsFunc(layouts, func(layout string) bool {
			want, err := time.Parse(layout, strings.Replace(text, "T", " ", 1))
			return err == nil && want.Truncate(time.Second).Equal(got)
		})
		if !agrees && !strings.Contains(text, ".") { // package time knows nine digits of a fraction, we any number
			t.Fatalf("%q is %v", text, got)
		}
	})
}

func ExampleParseDecimal() {
	fmt.Println(ParseDecimal("10.505", 2))
	// Output: 1051 true
}
