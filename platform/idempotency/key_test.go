package idempotency_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/idempotency"
)

func TestParseKey(t *testing.T) {
	long := strings.Repeat("k", idempotency.MaxKeyLength)
	for line, want := range map[string]string{
		"a": "a", " a\t": "a", `"a"`: "a", `"a b"`: "a b", `"\"\\"`: `"\`, "a,b;c=1": "a,b;c=1", `a\b`: `a\b`, "~!": "~!",
		long: long, `"` + long + `"`: long,
		"": "", " ": "", `""`: "", `"`: "", `"a`: "", `a"`: "", `"a"b`: "", `"a";v=1`: "", `"\a"`: "", `"\`: "", "a b": "",
		"a\tb": "", "é": "", "\"é\"": "", "a\x7f": "", long + "k": "", `"` + long + `k"`: "",
	} {
		got, err := idempotency.ParseKey([]string{line})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", line, got, err, want)
		}
	}
	for _, lines := range [][]string{nil, {}, {"a", "a"}} {
		if got, err := idempotency.ParseKey(lines); err != idempotency.ErrBadKey {
			t.Errorf("%q: %q, %v", lines, got, err)
		}
	}
}

// A key in quotes is the key between them.
func TestQuotedKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[ -~]{1,255}`).Draw(t, "key")
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if got, err := idempotency.ParseKey([]string{quoted}); got != key || err != nil {
			t.Fatalf("%s: %q, %v", quoted, got, err)
		}
	})
}

// Requests are the same only if all their parts are, and a digest reveals nothing to those who do not know the key.
func TestRequestsDiffer(t *testing.T) {
	seen := map[idempotency.Request]string{}
	for name, r := range map[string]*idempotency.Request{
		"one":            idempotency.NewRequest(1, "k", []string{"a", "b"}, "x", "y"),
		"another store":  idempotency.NewRequest(2, "k", []string{"a", "b"}, "x", "y"),
		"another caller": idempotency.NewRequest(1, "k", []string{"ab", ""}, "x", "y"),
		"nobody":         idempotency.NewRequest(1, "k", nil, "x", "y"),
		"other parts":    idempotency.NewRequest(1, "k", []string{"a", "b"}, "xy", ""),
		"more parts":     idempotency.NewRequest(1, "k", []string{"a", "b"}, "x", "y", ""),
	} {
		if other, again := seen[*r]; again {
			t.Errorf("%s and %s are the same", name, other)
		}
		seen[*r] = name
	}
	one, other := idempotency.NewRequest(1, "k", nil, "x"), idempotency.NewRequest(1, "l", nil, "x")
	if one.Digest == other.Digest || one.Key == other.Key {
		t.Error("two keys give one hash")
	}
	if *one != *idempotency.NewRequest(1, "k", nil, "x") {
		t.Error("the same request differs")
	}
}
