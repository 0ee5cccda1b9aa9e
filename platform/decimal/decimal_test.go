package decimal_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/decimal"
)

func TestPrinting(t *testing.T) {
	for h, want := range map[decimal.Hundredths]string{
		0: "0", 1000: "10", 1050: "10.5", 5: "0.05", -5: "-0.05", -1000: "-10", math.MaxInt64: "92233720368547758.07",
		math.MinInt64: "-92233720368547758.08",
	} {
		if h.String() != want {
			t.Errorf("%d: %s, want %s", int64(h), h, want)
		}
	}
	for m, want := range map[decimal.Money][4]string{
		0: {"0", "0", "0.00", "0.000"}, 1_2550: {"1.255", "1.255", "1.255", "1.255"},
		-500:    {"-0.05", "-0.05", "-0.05", "-0.050"},
		12_0000: {"12", "12", "12.00", "12.000"}, 1: {"0.0001", "0.0001", "0.0001", "0.0001"},
	} {
		if got := [4]string{m.String(), m.Fixed(0), m.Fixed(2), m.Fixed(3)}; got != want {
			t.Errorf("%d: %v, want %v", int64(m), got, want)
		}
	}
	for r, want := range map[decimal.Rate][2]string{
		0: {"0", "0.00"}, 7_500_000: {"7.5", "7.50"}, 5_000: {"0.005", "0.005"}, 1: {"0.000001", "0.000001"},
	} {
		if r.String() != want[0] || r.Fixed() != want[1] {
			t.Errorf("%d: %s and %s, want %v", int64(r), r, r.Fixed(), want)
		}
	}
}

func TestJSONReadsWhatItPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		h, q, m, r := decimal.Hundredths(n), decimal.Thousandths(n), decimal.Money(n), decimal.Rate(n)
		text, err := json.Marshal([]any{h, q, m, r})
		var h2 decimal.Hundredths
		var q2 decimal.Thousandths
		var m2 decimal.Money
		var r2 decimal.Rate
		if err == nil {
			err = json.Unmarshal(text, &[]any{&h2, &q2, &m2, &r2})
		}
		if err != nil || h2 != h || q2 != q || m2 != m || r2 != r {
			t.Fatalf("%d became %s became %v: %v", n, text, []any{h2, q2, m2, r2}, err)
		}
	})
	for _, text := range []string{"1.234", "1e3", `"1"`, "9223372036854775807"} {
		var h decimal.Hundredths
		if json.Unmarshal([]byte(text), &h) == nil {
			t.Errorf("%s was read as %s", text, h)
		}
	}
}

func TestRoundingOfMoney(t *testing.T) {
	for _, c := range []struct {
		money  decimal.Money
		digits int
		want   string
	}{
		{1_2549, 3, "1.255"}, {1_2549, 2, "1.25"}, {1_2550, 2, "1.26"}, {-1_2550, 2, "-1.26"}, {1_5000, 0, "2"},
		{1_2549, 4, "1.2549"},
	} {
		if got := c.money.Round(c.digits).String(); got != c.want {
			t.Errorf("%v with %d digits: %s, want %s", c.money, c.digits, got, c.want)
		}
	}
	if got := decimal.Money(10_0000).MulDiv(1, 3, 2); got.String() != "3.33" {
		t.Errorf("a third of 10 is %s", got)
	}
}

// digitsOf lists the codes in use of ISO 4217, by their digits after the point.
var digitsOf = map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW " +
		"CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR " +
		"ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV " +
		"MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD " +
		"SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
	3: "BHD IQD JOD KWD LYD OMR TND",
	4: "CLF UYW",
}

func TestCurrencyDigits(t *testing.T) {
	for digits, codes := range digitsOf {
		for code := range strings.FieldsSeq(codes) {
			if got := decimal.CurrencyDigits(code); got != digits {
				t.Errorf("%s has %d digits, want %d", code, got, digits)
			}
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
