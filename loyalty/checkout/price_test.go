package checkout

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
)

// draw makes a basket of a few products, and discounts of all kinds for them.
func draw(t *rapid.T) (b basket, given, choices []discount) {
	b = basket{delivery: []string{"SHIP"}, digits: rapid.IntRange(0, 3).Draw(t, "digits")}
	unit := decimal.Unit(b.digits)
	skus := []string{"TEA", "CAKE", "CUP", "SHIP"}
	for range rapid.IntRange(1, 8).Draw(t, "lines") {
		b.lines = append(b.lines, transaction.Item{
			SKU:        transaction.SKU{Code: rapid.SampledFrom(skus).Draw(t, "sku")},
			Category:   rapid.SampledFrom([]string{"food", "other"}).Draw(t, "category"),
			Quantity:   decimal.Thousandths(rapid.Int64Range(1, 5000).Draw(t, "quantity")),
			GrossValue: decimal.Money(rapid.Int64Range(0, 20_000).Draw(t, "value")) * unit,
		})
	}
	one := func() discount {
		d := discount{
			takes: campaign.TakesOff(rapid.IntRange(0, 4).Draw(t, "takes")),
			order: rapid.Int64Range(0, 3).Draw(t, "order"), exclusive: rapid.Bool().Draw(t, "exclusive"),
			refused: rapid.IntRange(0, 9).Draw(t, "refused") == 0,
		}
		if rapid.Bool().Draw(t, "named") {
			d.only = &campaign.Basket{SKUs: []string{rapid.SampledFrom(skus).Draw(t, "for")}}
			if rapid.Bool().Draw(t, "by category") {
				d.only = &campaign.Basket{Categories: []string{"food"}}
			}
		}
		if d.takes == campaign.TakesShare && rapid.Bool().Draw(t, "share") {
			d.percent = decimal.Rate(rapid.Int64Range(1, 100*decimal.OneRate).Draw(t, "percent"))
		} else {
			d.amount = decimal.Money(rapid.Int64Range(0, 30_000).Draw(t, "amount")) // not always of whole units
		}
		if rapid.Bool().Draw(t, "capped") {
			d.most = decimal.Money(rapid.Int64Range(1, 10_000).Draw(t, "most"))
		}
		return d
	}
	for range rapid.IntRange(0, 2).Draw(t, "given") {
		given = append(given, one())
	}
	for range rapid.IntRange(0, 6).Draw(t, "choices") {
		choices = append(choices, one())
	}
	return b, given, choices
}

// TestPricesAddUp shows that nothing is lost or invented: the shares of the lines add up to the discounts and to what
// is left, to the unit of the currency, and no line costs less than nothing.
func TestPricesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, given, choices := draw(t)
		o := b.price(given, choices)
		var all decimal.Money
		for n := range o.shares {
			all += o.total(n)
		}
		if all != o.off {
			t.Errorf("the discounts add up to %v, not to %v", all, o.off)
		}
		var gross, left decimal.Money
		for i, line := range b.lines {
			rest := line.GrossValue
			for n, shares := range o.shares {
				if shares == nil {
					continue
				}
				if rest -= shares[i]; shares[i] < 0 || shares[i].Round(b.digits) != shares[i] {
					t.Errorf("discount %d takes %v off line %d", n, shares[i], i)
				}
			}
			if rest != o.left[i] || rest < 0 {
				t.Errorf("line %d costs %v, and the shares leave %v", i, o.left[i], rest)
			}
			gross, left = gross+line.GrossValue, left+o.left[i]
		}
		if gross-o.off != left || o.off > gross || o.off < 0 {
			t.Errorf("%v less %v is not %v", gross, o.off, left)
		}
	})
}

// TestSharesAreTheLargestRemainders compares shares with the exact ones.
func TestSharesAreTheLargestRemainders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := decimal.Unit(rapid.IntRange(0, 4).Draw(t, "digits"))
		parts := make([]decimal.Money, rapid.IntRange(1, 20).Draw(t, "parts"))
		var sum decimal.Money
		for i := range parts {
			parts[i] = decimal.Money(rapid.Int64Range(0, 9_000_000_000_000/int64(unit)).Draw(t, "part")) * unit
			sum += parts[i]
		}
		amount := decimal.Money(rapid.Int64Range(0, int64(sum/unit)).Draw(t, "amount")) * unit
		shares := split(amount, parts, unit)
		var given decimal.Money
		least, most := big.NewRat(1, 1), big.NewRat(0, 1) // remainders that got a further unit, and that did not
		for i, share := range shares {
			given += share
			if sum == 0 {
				continue
			}
			exact := big.NewRat(int64(amount/unit), int64(sum/unit))
			exact.Mul(exact, big.NewRat(int64(parts[i]/unit), 1))
			floor := new(big.Int).Div(exact.Num(), exact.Denom())
			rest := exact.Sub(exact, new(big.Rat).SetInt(floor))
			switch int64(share/unit) - floor.Int64() {
			case 0:
				if rest.Cmp(most) > 0 {
					most = rest
				}
			case 1:
				if rest.Cmp(least) < 0 {
					least = rest
				}
			default:
				t.Errorf("share %d is %v", i, share)
			}
			if share > parts[i] {
				t.Errorf("share %d exceeds its part", i)
			}
		}
		if given != amount || least.Cmp(most) < 0 {
			t.Errorf("%v of %v, least %v, most %v", given, amount, least, most)
		}
	})
}

// TestBestCombination compares the best combination with all others.
func TestBestCombination(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, given, choices := draw(t)
		o := b.price(given, choices)
		if !o.complete || o.tried > CombinationLimit {
			t.Fatalf("tried %d, complete %t", o.tried, o.complete)
		}
		var exclusive, others int
		for i := range choices {
			switch used := o.shares[len(given)+i] != nil; {
			case used && choices[i].refused:
				t.Errorf("the refused discount %d is used", i)
			case used && choices[i].exclusive:
				exclusive++
			case used:
				others++
			}
		}
		if exclusive > 1 || exclusive == 1 && others > 0 {
			t.Errorf("%d exclusive discounts with %d others", exclusive, others)
		}
		for set := range 1 << len(choices) {
			var some []discount
			for i := range choices {
				if set>>i&1 == 1 && !choices[i].refused {
					some = append(some, choices[i])
				}
			}
			alone := slices.ContainsFunc(some, func(d discount) bool { return d.exclusive })
			if alone && len(some) > 1 {
				continue
			}
			for _, sequence := range sequences(some) {
				p := b.full()
				for _, d := range slices.Concat(given, sequence) {
					b.take(&p, &d, b.matched(&d))
				}
				if p.off > o.off || p.off == o.off && p.count < o.count {
					t.Errorf("%b takes %v off with %d, the best %v with %d", set, p.off, p.count, o.off, o.count)
				}
			}
		}
	})
}

// sequences returns the sequences in which discounts can be used: by their order, equal ones in any.
func sequences(of []discount) (all [][]discount) {
	if len(of) == 0 {
		return [][]discount{nil}
	}
	least := slices.MinFunc(of, func(a, b discount) int { return cmp.Compare(a.order, b.order) }).order
	for i := range of {
		if of[i].order == least {
			for _, rest := range sequences(slices.Delete(slices.Clone(of), i, i+1)) {
				all = append(all, append([]discount{of[i]}, rest...))
			}
		}
	}
	return all
}

// TestAnyOrderOfTheRequest prices a basket with the same discounts in another order.
func TestAnyOrderOfTheRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, given, choices := draw(t)
		other := rapid.Permutation(choices).Draw(t, "other")
		one, two := b.price(given, choices), b.price(given, other)
		if one.off != two.off || !slices.Equal(one.left, two.left) {
			t.Errorf("%v and %v are left", one.left, two.left)
		}
	})
}

// TestManyChoices bounds the search, which still finds at least what each discount, and all of them together, take off.
func TestManyChoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, _, _ := draw(t)
		choices := make([]discount, rapid.IntRange(10, 40).Draw(t, "choices"))
		for i := range choices {
			choices[i] = discount{
				takes: campaign.TakesValue, amount: decimal.Money(rapid.Int64Range(1, 5000).Draw(t, "amount")) * 100,
				order: rapid.Int64Range(0, 9).Draw(t, "order"), exclusive: i%7 == 3,
			}
		}
		o := b.price(nil, choices)
		if o.tried > CombinationLimit || o.complete {
			t.Errorf("tried %d, complete %t", o.tried, o.complete)
		}
		together := slices.DeleteFunc(slices.Clone(choices), func(d discount) bool { return d.exclusive })
		p := b.full()
		for _, d := range together {
			b.take(&p, &d, b.matched(&d))
		}
		if p.off > o.off {
			t.Errorf("all together take %v off, the best %v", p.off, o.off)
		}
		for i := range choices {
			if alone := b.price(nil, choices[i:i+1]); alone.off > o.off {
				t.Errorf("discount %d takes %v off, the best %v", i, alone.off, o.off)
			}
		}
	})
}

// example returns the basket of lines such as "TEA 2 18.40".
func example(t *testing.T, lines ...string) *basket {
	t.Helper()
	b := &basket{delivery: []string{"SHIP"}, digits: 2}
	for _, line := range lines {
		var sku string
		var quantity, cents int64
		if _, err := fmt.Sscanf(strings.Replace(line, ".", "", 1), "%s %d %d", &sku, &quantity, &cents); err != nil {
			t.Fatal(err)
		}
		b.lines = append(b.lines, transaction.Item{SKU: transaction.SKU{Code: sku},
			Quantity: decimal.Thousandths(quantity) * 1000, GrossValue: decimal.Money(cents) * 100})
	}
	return b
}

// TestPriceExamples are baskets that can be checked by hand.
func TestPriceExamples(t *testing.T) {
	value := func(cents int64, order int64) discount {
		return discount{takes: campaign.TakesValue, amount: decimal.Money(cents) * 100, order: order}
	}
	percent := func(n, order int64) discount {
		return discount{takes: campaign.TakesShare, percent: decimal.Rate(n) * decimal.OneRate, order: order}
	}
	of := func(d discount, skus ...string) discount {
		d.only = &campaign.Basket{SKUs: skus}
		return d
	}
	alone := func(d discount) discount {
		d.exclusive = true
		return d
	}
	capped := func(d discount, cents int64) discount {
		d.most = decimal.Money(cents) * 100
		return d
	}
	gift, delivery := discount{takes: campaign.TakesGift}, discount{takes: campaign.TakesDelivery}
	for _, c := range []struct {
		name           string
		lines          []string
		given, choices []discount
		want           string // left of each line; the choices that are used
	}{
		{"nothing", []string{"TEA 1 10.00"}, nil, nil, "10; "},
		{"the level comes first", []string{"TEA 1 100.00"}, []discount{percent(10, 0)}, []discount{percent(10, 0)}, "81; 0"},
		{"ten off, then 20 percent", []string{"TEA 1 100.00"}, nil, []discount{percent(20, 2), value(1000, 1)}, "72; 0 1"},
		{"20 percent, then ten off", []string{"TEA 1 100.00"}, nil, []discount{percent(20, 1), value(1000, 2)}, "70; 0 1"},
		{"thirds", []string{"TEA 1 1.00", "CAKE 1 1.00", "CUP 1 1.00"}, nil, []discount{value(100, 0)}, "0.66 0.67 0.67; 0"},
		{"never below nothing", []string{"TEA 1 5.00"}, nil, []discount{value(900, 0)}, "0; 0"},
		{"not more coupons than needed", []string{"TEA 1 30.00"}, nil, []discount{value(1000, 0), value(3000, 0)}, "0; 1"},
		{"an exclusive one is worth more", []string{"TEA 1 30.00"}, nil,
			[]discount{value(500, 0), alone(value(1200, 0)), value(600, 0)}, "18; 1"},
		{"two are worth more than an exclusive one", []string{"TEA 1 30.00"}, nil,
			[]discount{value(500, 0), alone(value(1000, 0)), value(600, 0)}, "19; 0 2"},
		{"a cap", []string{"TEA 1 100.00"}, nil, []discount{capped(percent(50, 0), 1500)}, "85; 0"},
		{"delivery is left out", []string{"TEA 1 10.00", "SHIP 1 5.00"}, nil, []discount{percent(10, 0)}, "9 5; 0"},
		{"free delivery", []string{"TEA 1 10.00", "SHIP 1 5.00"}, nil, []discount{delivery}, "10 0; 0"},
		{"no delivery", []string{"TEA 1 10.00"}, nil, []discount{delivery}, "10; "},
		{"equal order", []string{"TEA 1 40.00"}, nil, []discount{value(500, 0), percent(10, 0)}, "31; 0 1"},
		{"equal order, other way", []string{"TEA 1 40.00"}, nil, []discount{percent(10, 0), value(500, 0)}, "31; 0 1"},
		{"some products", []string{"TEA 1 10.00", "CAKE 1 10.00"}, nil, []discount{of(percent(50, 0), "CAKE")}, "10 5; 0"},
		{"a gift", []string{"TEA 1 10.00", "CAKE 3 9.00"}, nil, []discount{of(gift, "CAKE")}, "10 6; 0"},
		{"a gift that is not in the basket", []string{"TEA 1 10.00"}, nil, []discount{of(gift, "CAKE")}, "10; "},
		{"a gift that is not named", []string{"TEA 1 10.00"}, nil, []discount{gift}, "10; "},
		{"two gifts, one unit", []string{"CAKE 1 9.00"}, nil, []discount{of(gift, "CAKE"), of(gift, "CAKE")}, "0; 0"},
		{"two gifts, three units", []string{"CAKE 3 9.00"}, nil, []discount{of(gift, "CAKE"), of(gift, "CAKE")}, "3; 0 1"},
		{"the cheapest gift", []string{"CAKE 1 9.00", "CUP 1 4.00"}, nil, []discount{of(gift, "CAKE", "CUP")}, "9 0; 0"},
	} {
		o := example(t, c.lines...).price(c.given, c.choices)
		var left, used []string
		for _, money := range o.left {
			left = append(left, money.String())
		}
		for i, shares := range o.shares[len(c.given):] {
			if shares != nil {
				used = append(used, fmt.Sprint(i))
			}
		}
		if got := strings.Join(left, " ") + "; " + strings.Join(used, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// BenchmarkPrice is the largest basket.
func BenchmarkPrice(b *testing.B) {
	of := basket{lines: make([]transaction.Item, transaction.ItemLimit), digits: 2}
	for i := range of.lines {
		of.lines[i] = transaction.Item{Quantity: 1000, GrossValue: decimal.Money(i*7919%5000) * 100}
	}
	choices := make([]discount, CouponLimit+RewardLimit)
	for i := range choices {
		choices[i] = discount{takes: campaign.TakesShare, percent: decimal.OneRate * decimal.Rate(i+1) / 3}
	}
	for b.Loop() {
		of.price(nil, choices)
	}
}
