package purchase

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/platform/decimal"
)

func TestShares(t *testing.T) {
	soon, late := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC), time.Date(2031, 6, 1, 12, 0, 0, 0, time.UTC)
	v := func(id string, end time.Time, value, back decimal.Hundredths) voucher {
		return voucher{&Purchase{Owned: Owned{CouponID: id, ActiveTo: end}, ReturnedAmount: back.Money()}, value.Money()}
	}
	for _, c := range []struct {
		name         string
		vouchers     []voucher
		returned, of decimal.Money
		last         bool
		want         string
	}{
		{"none", nil, 1000, 3000, false, ""},
		{"a third, rounded to hundredths", []voucher{v("a", soon, 1000, 0)}, 1000, 3000, false, "a 3.33 "},
		{"what ends last comes first", []voucher{v("a", soon, 500, 0), v("b", late, 800, 0)}, 1000, 2000, false,
			"b 6.5 a 0 "},
		{"no end is the last", []voucher{v("a", late, 500, 0), v("b", time.Time{}, 800, 0)}, 3, 4, false, "b 8 a 1.75 "},
		{"then what is worth least", []voucher{v("a", soon, 800, 0), v("b", soon, 500, 0)}, 3, 4, false, "b 5 a 4.75 "},
		{"then the older one", []voucher{v("b", soon, 500, 0), v("a", soon, 500, 0)}, 1, 2, false, "a 5 b 0 "},
		{"what came back already does not again", []voucher{v("a", soon, 500, 400), v("b", soon, 800, 0)}, 1, 2, false,
			"a 1 b 5.5 "},
		{"all that is left", []voucher{v("a", soon, 500, 400), v("b", late, 800, 800)}, 0, 0, true, "b 0 a 1 "},
	} {
		got := ""
		for i, value := range shares(c.vouchers, c.returned, c.of, c.last, 2) {
			got += fmt.Sprint(c.vouchers[i].CouponID, " ", value, " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// However a sale is returned, every voucher gives back its value in the end, and never more.
func TestSharesGiveEveryVoucherBackOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1, 100_000), 1, 5).Draw(t, "values")
		returns := rapid.SliceOfN(rapid.Int64Range(1, 50_000), 1, 8).Draw(t, "returns")
		var sale int64
		for _, part := range returns {
			sale += part
		}
		vouchers := make([]voucher, len(values))
		for i, value := range values {
			vouchers[i] = voucher{&Purchase{Owned: Owned{CouponID: fmt.Sprint(i)}}, decimal.Hundredths(value).Money()}
		}
		for i, part := range returns {
			given := shares(vouchers, decimal.Money(part), decimal.Money(sale), i == len(returns)-1, 2)
			for j := range vouchers {
				vouchers[j].ReturnedAmount += given[j]
				if given[j] < 0 || vouchers[j].ReturnedAmount > vouchers[j].value {
					t.Fatalf("voucher of %v gave %v back", vouchers[j].value, vouchers[j].ReturnedAmount)
				}
			}
		}
		if slices.ContainsFunc(vouchers, func(v voucher) bool { return v.ReturnedAmount != v.value }) {
			t.Fatal("not all came back")
		}
	})
}
