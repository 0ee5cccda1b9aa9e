package sqlite

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/db"
)

func TestPackedIDsComeBackAsTheyWere(t *testing.T) {
	for range 1000 {
		id := db.NewID()
		packed, ok := pack(id)
		if !ok || unpack(packed[:]) != id {
			t.Fatalf("%s became %x", id, packed)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789abcdefABCDEFg-")), 36, 36, -1).Draw(t, "text")
		if id, ok := pack(text); ok && unpack(id[:]) != text {
			t.Fatalf("%s became %s", text, unpack(id[:]))
		}
	})
	for _, other := range []string{
		"", strings.ToUpper(db.NewID()), "{" + db.NewID() + "}", strings.ReplaceAll(db.NewID(), "-", ""),
		db.NewID()[:35] + "é",
		strings.Repeat("-", 36),
	} {
		if _, ok := pack(other); ok {
			t.Errorf("%q was taken for an id", other)
		}
	}
}
