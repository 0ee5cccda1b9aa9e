package customer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestMatchKey(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "   ": "", "AB-12": "ab-12", "  Ab-12\t": "ab-12", "+48 123": "+48 123", "ŁÓDŹ": "łódź", "007": "007",
	} {
		if got := matchKey(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Za-z0-9+ -]{0,12}`).Draw(t, "text")
		key := matchKey(text)
		for _, same := range []string{key, strings.ToUpper(text), " " + text + "\n"} {
			if matchKey(same) != key {
				t.Fatalf("%q and %q differ", text, same)
			}
		}
	})
}

func TestParseLabels(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Label
	}{
		{"", nil}, {";;", nil}, {"abc", nil}, {":b", nil}, {" :b;a:1", []Label{{"a", "1"}}},
		{"key1:value1;key2:value2", []Label{{"key1", "value1"}, {"key2", "value2"}}},
		{"b:1;a:2;b:3;", []Label{{"b", "1"}, {"a", "2"}, {"b", "3"}}}, {"a:b:c", []Label{{"a", "b:c"}}},
		{" a : b ", []Label{{"a", "b"}}}, {"a:", []Label{{"a", ""}}},
	} {
		if diff := cmp.Diff(c.want, ParseLabels(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// Tags in a column of a file are labels without values.
func TestLabelsOfFile(t *testing.T) {
	want := []Label{{"vip", ""}, {"size", "L"}, {"a", "b:c"}}
	if diff := cmp.Diff(want, LabelsOfFile("vip; size:L;;a:b:c")); diff != "" {
		t.Error(diff)
	}
}

func TestAveragePurchase(t *testing.T) {
	for _, c := range []struct {
		count        int64
		amount, want decimal.Hundredths
	}{{0, 0, 0}, {1, 999, 999}, {2, 999, 500}, {3, 1_000, 333}, {6, 31_290, 5_215}} {
		if got := (Purchases{Count: c.count, Amount: c.amount.Money()}).Average(2); got != c.want.Money() {
			t.Errorf("%d of %v: %v, want %v", c.count, c.amount, got, c.want)
		}
	}
}

func TestOnlyActiveCustomersAreActive(t *testing.T) {
	for status, want := range map[string]bool{Active: true, New: false, Blocked: false, Deleted: false, "": false} {
		if got := (&Customer{Status: status}).IsActive(); got != want {
			t.Errorf("%q: %v", status, got)
		}
	}
}
