package dbtest

import (
	"slices"
	"testing"

	"punchcard/platform/testmode"
)

// In make test a test runs on SQLite unless it called Both. In the other modes every test runs on both.
func TestDatabasesOfATest(t *testing.T) {
	if len(Engines) < 2 {
		t.Skip(enginesVariable + " chooses one database")
	}
	for mode, want := range map[string][]string{
		"test": Engines[:1], "quick": Engines[:1], "all": Engines, "": Engines,
	} {
		t.Setenv(testmode.Variable, mode)
		if got := EnginesOf(t); !slices.Equal(got, want) {
			t.Errorf("%q: a test runs on %v, want %v", mode, got, want)
		}
	}
	t.Setenv(testmode.Variable, "test")
	t.Run("with Both", func(t *testing.T) { Both(t) })
	if got := EnginesOf(t); !slices.Equal(got, Engines) {
		t.Errorf("with Both a test runs on %v, want %v", got, Engines)
	}
}
