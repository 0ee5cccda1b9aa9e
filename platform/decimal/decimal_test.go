package decimal_test

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/decimal"
)

func TestPrinting(t *testing.T) {
	for h, want := range map[decimal.Hundredths][2]string{
		0: {"0", "0.00"}, 1000: {"10", "10.00"}, 1050: {"10.5", "10.50"}, 5: {"0.05", "0.05"}, -5: {"-0.05", "-0.05"},
		-1000: {"-10", "-10.00"}, math.MaxInt64: {"92233720368547758.07", "92233720368547758.07"},
		math.MinInt64: {"-92233720368547758.08", "-92233720368547758.08"},
	} {
		if h.String() != want[0] || h.Fixed() != want[1] {
			t.Errorf("%d: %s and %s, want %v", int64(h), h, h.Fixed(), want)
		}
	}
}

func TestJSONReadsWhatItPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := decimal.Hundredths(rapid.Int64().Draw(t, "h"))
		text, err := json.Marshal(h)
		var back decimal.Hundredths
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || back != h {
			t.Fatalf("%d became %s became %d: %v", int64(h), text, int64(back), err)
		}
	})
	for _, text := range []string{"1.234", "1e3", `"1"`, "9223372036854775807"} {
		var h decimal.Hundredths
		if json.Unmarshal([]byte(text), &h) == nil {
			t.Errorf("%s was read as %s", text, h)
		}
	}
}

func TestMulDivRoundsHalfAwayFromZero(t *testing.T) {
	for _, c := range []struct{ h, by, of, want int64 }{
		{100, 1, 3, 33}, {200, 1, 3, 67}, {5, 1, 2, 3}, {-5, 1, 2, -3}, {7000, 2000, 4000, 3500}, {1, 1, 1000, 0},
	} {
		if got := decimal.Hundredths(c.h).MulDiv(c.by, c.of); int64(got) != c.want {
			t.Errorf("%d × %d ÷ %d = %d, want %d", c.h, c.by, c.of, got, c.want)
		}
		if got, want := decimal.Hundredths(c.h).MulDivDown(c.by, c.of), c.h*c.by/c.of; int64(got) != want {
			t.Errorf("%d × %d ÷ %d, rounded down = %d, want %d", c.h, c.by, c.of, got, want)
		}
	}
	if got := decimal.Hundredths(math.MaxInt64).MulDivDown(math.MaxInt64, math.MaxInt64); got != math.MaxInt64 {
		t.Errorf("what needs more than 64 bits on the way: %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		h, by := rapid.Int64Range(-1e12, 1e12).Draw(t, "h"), rapid.Int64Range(0, 1e6).Draw(t, "by")
		of := rapid.Int64Range(1, 1e6).Draw(t, "of")
		got := int64(decimal.Hundredths(h).MulDiv(by, of))
		rest := new(big.Int).Mul(big.NewInt(h), big.NewInt(by))
		rest.Sub(rest, new(big.Int).Mul(big.NewInt(got), big.NewInt(of)))
		if rest.Lsh(rest, 1).CmpAbs(big.NewInt(of)) > 0 {
			t.Fatalf("%d × %d ÷ %d = %d is not the nearest", h, by, of, got)
		}
	})
}
