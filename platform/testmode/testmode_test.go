package testmode

import "testing"

func TestModes(t *testing.T) {
	for _, c := range []struct {
		mode, third     string
		quick, one, all bool
		of              int
		thirds          string
	}{
		{mode: "", of: 2, thirds: "012"},
		{mode: "quick", third: "1", quick: true, one: true, of: 1, thirds: ""},
		{mode: "test", third: "1", one: true, of: 2, thirds: "1"},
		{mode: "test", one: true, of: 2, thirds: "012"},
		{mode: "all", all: true, of: 3, thirds: "012"},
	} {
		t.Setenv(Variable, c.mode)
		t.Setenv(ThirdVariable, c.third)
		if Quick() != c.quick || OneDatabase() != c.one || All() != c.all {
			t.Errorf("%q: quick %v, one database %v, all %v", c.mode, Quick(), OneDatabase(), All())
		}
		if got := Of(1, 2, 3); got != c.of {
			t.Errorf("%q: of the rounds 1, 2 and 3 it takes %d, want %d", c.mode, got, c.of)
		}
		thirds := ""
		for number, name := range []string{"0", "1", "2"} {
			if Third(number) != Third(number+Thirds) {
				t.Errorf("%q: %d and %d are not of the same third", c.mode, number, number+Thirds)
			}
			if Third(number) {
				thirds += name
			}
		}
		if thirds != c.thirds {
			t.Errorf("%q with the third %q runs %q, want %q", c.mode, c.third, thirds, c.thirds)
		}
	}
}

func TestSkipQuick(t *testing.T) {
	for mode, want := range map[string]bool{"quick": true, "test": false, "": false} {
		t.Setenv(Variable, mode)
		skipped := false
		t.Run("of", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			SkipQuick(t)
		})
		if skipped != want {
			t.Errorf("%q: skipped %v", mode, skipped)
		}
	}
}
