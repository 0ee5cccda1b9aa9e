package earning

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// evaluate evaluates the rules in a store that does not round to whole points.
func evaluate(rules []Rule, sale *transaction.Transaction) Result {
	return New(nil).Evaluate(&store.Store{}, rules, sale)
}

// cents reads an amount, "30.00".
func cents(t rapid.TB, text string) Amount {
	t.Helper()
	n, ok := form.ParseDecimal(text, 2)
	if !ok {
		t.Fatalf("%q is no amount", text)
	}
	return Amount(n)
}

// saleOf reads lines such as "TEA 18.40 bio:yes,new:1", separated by semicolons. The SKU SHIP is delivery.
func saleOf(t rapid.TB, text string) *transaction.Transaction {
	t.Helper()
	sale := &transaction.Transaction{Excluded: transaction.Excluded{DeliverySKUs: []string{"SHIP"}}}
	for entry := range strings.SplitSeq(text, ";") {
		words := strings.Fields(entry)
		line := transaction.Item{
			SKU: transaction.SKU{Code: words[0]}, Quantity: 7_000, GrossValue: cents(t, words[1]).Money(),
		}
		if len(words) > 2 {
			line.Labels = labels(words[2])
		}
		sale.Amounts.Gross += line.GrossValue
		if words[0] != "SHIP" {
			sale.Amounts.WithoutDelivery += line.GrossValue
		}
		sale.Items = append(sale.Items, line)
	}
	return sale
}

// labels reads "bio:yes,new:1".
func labels(text string) []Label {
	var all []Label
	for pair := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(pair, ":")
		all = append(all, Label{Key: key, Value: value})
	}
	return all
}

// numbered gives rules their ids in order, so that the first is the oldest, and the ids for names.
func numbered(rules ...Rule) []Rule {
	for i := range rules {
		rules[i].ID = fmt.Sprintf("r%02d", i)
		rules[i].Name = rules[i].ID
	}
	return rules
}

func spending(t rapid.TB, pointValue string, edits ...func(*General)) Rule {
	r := Rule{Type: Spending, Definition: Definition{General: General{PointValue: cents(t, pointValue).Rate()}}}
	for _, edit := range edits {
		edit(&r.Definition.General)
	}
	return r
}

func productPoints(t rapid.TB, amount string, skus ...string) Rule {
	return Rule{Type: ProductPurchase, Definition: Definition{Points: cents(t, amount), SKUs: skus}}
}

func multiplied(t rapid.TB, by, label string, skus ...string) Rule {
	r := Rule{Type: MultiplyProduct, Definition: Definition{Multiplier: cents(t, by).Rate(), SKUs: skus}}
	if label != "" {
		r.Definition.Labels = labels(label)
	}
	return r
}

func everything(t rapid.TB, by string) Rule {
	return Rule{Type: MultiplyProduct, Definition: Definition{Multiplier: cents(t, by).Rate(), AllProducts: true}}
}

// byLabels makes factors of "bio:yes 2, new:1 3".
func byLabels(t rapid.TB, text string) Rule {
	r := Rule{Type: MultiplyLabels}
	for entry := range strings.SplitSeq(text, ",") {
		words := strings.Fields(entry)
		r.Definition.LabelMultipliers = append(r.Definition.LabelMultipliers,
			Factor{Label: labels(words[0])[0], Multiplier: cents(t, words[1]).Rate()})
	}
	return r
}

func last(r Rule) Rule {
	r.Definition.LastExecuted = true
	return r
}

// evaluationCase is a row of the tables below: what a sale earns by the rules, the oldest first.
type evaluationCase struct {
	name    string
	rules   []Rule
	sale    string
	points  string
	comment string
}

func evaluateAll(t *testing.T, cases []evaluationCase) {
	t.Helper()
	for _, c := range cases {
		got := evaluate(numbered(c.rules...), saleOf(t, c.sale))
		if got.Points != cents(t, c.points) || got.Comment != c.comment {
			t.Errorf("%s: %s by %q, want %s by %q", c.name, got.Points, got.Comment, c.points, c.comment)
		}
	}
}

func TestPointsOfDiscounts(t *testing.T) {
	evaluateAll(t, []evaluationCase{
		{"a discount with a product of its own", []Rule{spending(t, "1")}, "A 10; OFF -2", "8", "r00"},
		{"on a product that is multiplied", []Rule{spending(t, "1"), multiplied(t, "2", "", "A")}, "A 10; A -2", "16",
			"r00, r01"},
		{"on all products", []Rule{spending(t, "1"), everything(t, "2")}, "A 10; B 5; OFF -2", "26", "r00, r01"},
		{"on all products, which earned nothing before", []Rule{everything(t, "2")}, "A 10", "0", ""},
		{"beside a product that is multiplied", []Rule{spending(t, "1"), multiplied(t, "2", "", "A")}, "A 10; OFF -2", "18",
			"r00, r01"},
		{"never below nothing", []Rule{spending(t, "1", func(g *General) { g.ExcludedSKUs = []string{"A"} })},
			"A 10; OFF -2", "0", "r00"},
		{"bought nothing", []Rule{productPoints(t, "5", "OFF", "A")}, "A 10; OFF -2", "5", "r00"},
	})
}

// TestWholePoints rounds the exact sum of a sale once.
func TestWholePoints(t *testing.T) {
	for _, c := range []struct{ sale, rounding, want string }{
		{"A 119.90", store.PointsHundredths, "119.9"}, {"A 119.90", store.PointsHalfUp, "120"},
		{"A 119.90", store.PointsFloor, "119"}, {"A 119.50", store.PointsHalfUp, "120"},
		{"A 119.49", store.PointsHalfUp, "119"}, {"A 0.99", store.PointsFloor, "0"},
		{"A 60.10;B 59.80", store.PointsFloor, "119"},
	} {
		got := New(nil).Evaluate(storeRounding(c.rounding), numbered(spending(t, "1")), saleOf(t, c.sale))
		if got.Points.String() != c.want {
			t.Errorf("%s, %s: %s, want %s", c.sale, c.rounding, got.Points, c.want)
		}
	}
	multiplied := numbered(spending(t, "0.99"), multiplied(t, "1.5", "", "A"))
	exact := spending(t, "1")
	for rounding, want := range map[string]string{store.PointsHalfUp: "15", store.PointsFloor: "14"} {
		got := New(nil).Evaluate(storeRounding(rounding), multiplied, saleOf(t, "A 10"))
		if got.Points.String() != want { // 9.9 times 1.5 is 14.85
			t.Errorf("multiplied, %s: %s, want %s", rounding, got.Points, want)
		}
	}
	exact.Definition.General.PointValue = 499_996 // of 1.00: 0.499996, in hundredths 0.50
	got := New(nil).Evaluate(storeRounding(store.PointsHalfUp), numbered(exact), saleOf(t, "A 1"))
	if got.Points != 0 {
		t.Errorf("rounded twice: %s", got.Points)
	}
}

func TestPointsForMoney(t *testing.T) {
	evaluateAll(t, []evaluationCase{
		{"no rules", nil, "A 10", "0", ""},
		{"worked example", []Rule{spending(t, "1.5"), byLabels(t, "bio:yes 2"), productPoints(t, "5", "B")},
			"A 30 bio:yes; B 10", "110", "r00, r01, r02"},
		{"second example", []Rule{spending(t, "2.3")}, "A 1; B 2", "6.9", "r00"},
		{"rounded once", []Rule{spending(t, "0.01")}, "A 0.25; B 0.25", "0.01", "r00"},
		{"half up", []Rule{spending(t, "0.5")}, "A 0.01", "0.01", "r00"},
		{"below half", []Rule{spending(t, "0.49")}, "A 0.01", "0", "r00"},
		{"two general rules", []Rule{spending(t, "1"), spending(t, "0.5")}, "A 10", "15", "r00, r01"},
		{"nothing spent", []Rule{spending(t, "1")}, "A 0", "0", ""},
	})
}

func TestPointsForEligibleLines(t *testing.T) {
	general := func(pointValue string, edit func(*General)) Rule { return spending(t, pointValue, edit) }
	evaluateAll(t, []evaluationCase{
		{"excluded SKU", []Rule{general("1", func(g *General) { g.ExcludedSKUs = []string{"A", "a"} })},
			"A 10; B 5", "5", "r00"},
		{"SKUs are compared exactly", []Rule{general("1", func(g *General) { g.ExcludedSKUs = []string{"a"} })},
			"A 10", "10", "r00"},
		{"all excluded", []Rule{general("1", func(g *General) { g.ExcludedSKUs = []string{"A"} })}, "A 10", "0", ""},
		{"delivery counts", []Rule{spending(t, "1")}, "A 10; SHIP 5", "15", "r00"},
		{"delivery excluded", []Rule{general("1", func(g *General) { g.ExcludeDeliveryCost = true })},
			"A 10; SHIP 5", "10", "r00"},
		{"labels excluded", []Rule{general("1", func(g *General) {
			g.LabelsInclusion, g.ExcludedLabels = ExcludeLabels, labels("tax:tobacco,tax:alcohol")
		})}, "A 10 tax:tobacco; B 5; C 2 tax:food", "7", "r00"},
		{"labels included", []Rule{general("1", func(g *General) {
			g.LabelsInclusion, g.IncludedLabels = IncludeLabels, labels("tax:food,bio:yes")
		})}, "A 10 tax:tobacco; B 5; C 2 tax:food; D 1 x:y,bio:yes", "3", "r00"},
		{"labels without the mode", []Rule{general("1", func(g *General) {
			g.LabelsInclusion, g.IncludedLabels, g.ExcludedLabels = AnyLabels, labels("a:b"), labels("tax:tobacco")
		})}, "A 10 tax:tobacco", "10", "r00"},
		{"labels are compared exactly", []Rule{general("1", func(g *General) {
			g.LabelsInclusion, g.IncludedLabels = IncludeLabels, labels("Bio:yes,bio:Yes")
		})}, "A 10 bio:yes", "0", ""},
		{"order too small", []Rule{general("1", func(g *General) { g.MinOrder = 100100 })}, "A 10", "0", ""},
		{"order just large enough", []Rule{general("1", func(g *General) { g.MinOrder = 100000 })}, "A 10", "10", "r00"},
		{"delivery fills the order", []Rule{general("1", func(g *General) { g.MinOrder = 100000 })},
			"A 8; SHIP 2", "10", "r00"},
		{"excluded delivery does not", []Rule{general("1", func(g *General) {
			g.MinOrder, g.ExcludeDeliveryCost = 10_0000, true
		})}, "A 8; SHIP 2", "0", ""},
		{"excluded SKUs fill the order", []Rule{general("1", func(g *General) {
			g.MinOrder, g.ExcludedSKUs = 10_0000, []string{"B"}
		})}, "A 8; B 2", "8", "r00"},
	})
}

func TestPointsForProducts(t *testing.T) {
	evaluateAll(t, []evaluationCase{
		{"product, per line", []Rule{productPoints(t, "5", "A")}, "A 1; A 0; B 1", "10", "r00"},
		{"product, another", []Rule{productPoints(t, "5", "A")}, "B 1", "0", ""},
		{"product, any of", []Rule{productPoints(t, "0.5", "A", "B")}, "A 1; B 1; C 1", "1", "r00"},
	})
}

func TestMultipliers(t *testing.T) {
	evaluateAll(t, []evaluationCase{
		{"multiplied SKU", []Rule{spending(t, "1"), multiplied(t, "2.5", "", "A")}, "A 10; B 1", "26", "r00, r01"},
		{"once per SKU", []Rule{spending(t, "1"), multiplied(t, "2", "", "A")}, "A 10; A 5", "30", "r00, r01"},
		{"a label on one line of the SKU", []Rule{spending(t, "1"), multiplied(t, "2", "bio:yes")},
			"A 10; A 5 bio:yes; B 1", "31", "r00, r01"},
		{"SKU and label at once", []Rule{spending(t, "1"), multiplied(t, "3", "bio:yes", "A")},
			"A 1 bio:yes; B 1 bio:yes; C 1", "7", "r00, r01"},
		{"every multiplier", []Rule{spending(t, "1"), multiplied(t, "2", "", "A"), multiplied(t, "3", "", "A")},
			"A 1", "6", "r00, r01, r02"},
		{"a multiplier below one", []Rule{spending(t, "1"), multiplied(t, "0.5", "", "A")}, "A 1", "0.5", "r00, r01"},
		{"nothing to multiply", []Rule{multiplied(t, "2", "", "A")}, "A 10", "0", ""},
		{"products are not multiplied", []Rule{productPoints(t, "5", "A"), multiplied(t, "2", "", "A")}, "A 1", "5", "r00"},
		{"an older multiplier still comes after", []Rule{multiplied(t, "2", "", "A"), spending(t, "1")},
			"A 1", "2", "r01, r00"},
		{"several labels, one after the other", []Rule{spending(t, "1"), byLabels(t, "bio:yes 2,new:1 1.5")},
			"A 10 bio:yes,new:1; B 10 new:1; C 10", "55", "r00, r01"},
		{"the label twice on a line", []Rule{spending(t, "1"), byLabels(t, "bio:yes 2")},
			"A 10 bio:yes,bio:yes", "20", "r00, r01"},
	})
}

func TestLastExecutedRule(t *testing.T) {
	general := func(pointValue string, edit func(*General)) Rule { return spending(t, pointValue, edit) }
	evaluateAll(t, []evaluationCase{
		{"last of a step", []Rule{last(spending(t, "1")), spending(t, "1"), productPoints(t, "5", "A")}, "A 1", "1", "r00"},
		{"last, but skipped", []Rule{
			last(general("1", func(g *General) { g.MinOrder = 100000 })), spending(t, "2"),
		}, "A 1", "2", "r01"},
		{"last, though it pays nothing", []Rule{
			spending(t, "1"), last(multiplied(t, "2", "", "B")), productPoints(t, "5", "A"),
		}, "A 1", "1", "r00"},
		{"last reward", []Rule{spending(t, "1"), last(Rule{Type: InstantReward}), productPoints(t, "5", "A")},
			"A 1", "1", "r00"},
		{"last of all", []Rule{spending(t, "1"), last(productPoints(t, "5", "A"))}, "A 1", "6", "r00, r01"},
		{"rules of other types", []Rule{
			{Type: Event, Definition: Definition{Points: 100}}, last(Rule{Type: CustomEvent}), spending(t, "1"),
		}, "A 1", "1", "r02"},
		{"too many points", []Rule{spending(t, "9999999"), multiplied(t, "999999", "", "A")}, "A 999999",
			"1000000000000", "r00, r01"},
	})
}

func TestInstantRewards(t *testing.T) {
	gift := func(campaign string) Rule {
		return Rule{Type: InstantReward, Definition: Definition{RewardCampaignID: campaign}}
	}
	for _, c := range []struct {
		name  string
		rules []Rule
		want  string
	}{
		{"none", []Rule{spending(t, "1")}, ""},
		{"each, oldest first", []Rule{gift("x"), spending(t, "1"), gift("y")}, "x y"},
		{"behind the last rule", []Rule{last(spending(t, "1")), gift("x")}, ""},
		{"behind the last reward", []Rule{last(gift("x")), gift("y")}, "x"},
		{"before products", []Rule{last(productPoints(t, "1", "A")), gift("x")}, "x"},
	} {
		var got []string
		for _, r := range evaluate(numbered(c.rules...), saleOf(t, "A 1")).Rewards {
			got = append(got, r.Definition.RewardCampaignID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// drawRules makes rules of every purchase type about the products A to D and the labels x and y.
func drawRules(t *rapid.T) []Rule {
	amount := func(name string, least int64) Amount { return Amount(rapid.Int64Range(least, 1000).Draw(t, name)) }
	skus := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D"}), rapid.ID)
	label := rapid.SampledFrom([]Label{{Key: "x", Value: "1"}, {Key: "x", Value: "2"}, {Key: "y", Value: "1"}})
	rule := rapid.Custom(func(t *rapid.T) Rule {
		r := Rule{Type: rapid.SampledFrom(New(nil).onSale).Draw(t, "type")}
		d := &r.Definition
		d.LastExecuted = rapid.IntRange(0, 5).Draw(t, "last") == 0
		d.SKUs, d.Labels = skus.Draw(t, "skus"), rapid.SliceOfN(label, 0, 2).Draw(t, "labels")
		d.Points, d.Multiplier = amount("points", 1), amount("multiplier", 1).Rate()
		for _, l := range rapid.SliceOfN(label, 1, 3).Draw(t, "factors") {
			d.LabelMultipliers = append(d.LabelMultipliers, Factor{Label: l, Multiplier: amount("factor", 100).Rate()})
		}
		d.General = General{
			PointValue: amount("value", 1).Rate(), ExcludeDeliveryCost: rapid.Bool().Draw(t, "delivery"),
			ExcludedSKUs:    skus.Draw(t, "excluded"),
			LabelsInclusion: rapid.SampledFrom([]string{AnyLabels, IncludeLabels, ExcludeLabels}).Draw(t, "mode"),
			IncludedLabels:  rapid.SliceOfN(label, 0, 2).Draw(t, "in"),
			ExcludedLabels:  rapid.SliceOfN(label, 0, 2).Draw(t, "out"),
			MinOrder:        amount("order", 0).Money() * 10,
		}
		return r
	})
	return numbered(rapid.SliceOfN(rule, 0, 8).Draw(t, "rules")...)
}

func drawSale(t *rapid.T) *transaction.Transaction {
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"A", "B", "C", "D", "SHIP"}).Draw(t, "sku") + " " +
			Amount(rapid.Int64Range(0, 5000).Draw(t, "gross")).String() + " " +
			rapid.SampledFrom([]string{"", "x:1", "x:2", "x:1,y:1", "y:1,x:2"}).Draw(t, "labels")
	})
	return saleOf(t, strings.Join(rapid.SliceOfN(line, 1, 10).Draw(t, "lines"), ";"))
}

func summary(r Result) string {
	text := fmt.Sprint(r.Points, r.Comment)
	for i := range r.Rewards {
		text += " " + r.Rewards[i].ID
	}
	return text
}

func TestTheOrderOfLinesPlaysNoPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, sale := drawRules(t), drawSale(t)
		want := summary(evaluate(rules, sale))
		sale.Items = rapid.Permutation(sale.Items).Draw(t, "lines in another order")
		if got := summary(evaluate(rules, sale)); got != want {
			t.Fatalf("%s, and in another order %s", want, got)
		}
		shuffled := rapid.Permutation(rules).Draw(t, "rules in another order")
		if got := summary(evaluate(shuffled, sale)); got != want {
			t.Fatalf("%s, and with the rules in another order %s", want, got)
		}
	})
}

// What a shop writes on one line or on two is the same money, but for points per line.
func TestASplitLineEarnsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := slices.DeleteFunc(drawRules(t), func(r Rule) bool { return r.Type == ProductPurchase })
		sale := drawSale(t)
		want := summary(evaluate(rules, sale))
		i := rapid.IntRange(0, len(sale.Items)-1).Draw(t, "line")
		part := sale.Items[i]
		part.GrossValue = decimal.Money(rapid.Int64Range(0, int64(part.GrossValue)).Draw(t, "part"))
		sale.Items[i].GrossValue -= part.GrossValue
		sale.Items = append(sale.Items, part)
		if got := summary(evaluate(rules, sale)); got != want {
			t.Fatalf("%s, and in two parts %s", want, got)
		}
	})
}

func storeRounding(how string) *store.Store {
	return &store.Store{Settings: store.Settings{PointsRounding: how}}
}
