package idempotency

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParseKey reads any header: the key is refused, or it is 1 to 255 printable ASCII characters that mean the same
// when they are sent as a quoted string.
func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"abc", `"abc"`, `"a\"b\\c"`, `"a`, `a b`, "", `""`, strings.Repeat("k", 256), `"a" b`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		key, err := ParseKey([]string{line})
		if err != nil {
			if !errors.Is(err, ErrBadKey) || key != "" {
				t.Fatalf("%q: %q, %v", line, key, err)
			}
			return
		}
		printable := !strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' })
		if key == "" || len(key) > MaxKeyLength || !printable {
			t.Fatalf("%q is taken as %q", line, key)
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, err := ParseKey([]string{quoted}); err != nil || again != key {
			t.Fatalf("%q: %q, quoted %q, %v", line, key, again, err)
		}
	})
}
