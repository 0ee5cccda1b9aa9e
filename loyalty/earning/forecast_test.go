package earning

import (
	"testing"

	"pgregory.net/rapid"

	"punchcard/core/store"
)

// TestForecastsAddUp shows that the parts of rules and items add up to the points, which are those of a receipt.
func TestForecastsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, sale := drawRules(t), drawSale(t)
		s := &store.Store{}
		s.Settings.PointsRounding = rapid.SampledFrom([]string{"", store.PointsFloor, store.PointsHalfUp}).Draw(t, "rounding")
		f, want := New(nil).forecast(s, rules, sale), New(nil).Evaluate(s, rules, sale).Points
		var all Amount
		for _, r := range f.Rules {
			var items Amount
			for _, points := range r.Items {
				items += points
			}
			if items != r.Points || len(r.Items) != len(sale.Items) {
				t.Errorf("%s gives %v, its %d items %v", r.Name, r.Points, len(r.Items), items)
			}
			all += r.Points
		}
		if f.Points != want || all != want {
			t.Errorf("%v, by rules %v, a receipt earns %v", f.Points, all, want)
		}
	})
}

// TestForecastByItem is an example with two items of one product.
func TestForecastByItem(t *testing.T) {
	rules := numbered(spending(t, "1"), multiplied(t, "3", "", "A"), productPoints(t, "2", "B"))
	f := New(nil).forecast(&store.Store{}, rules, saleOf(t, "A 1.50;A 2;B 3"))
	want := [][]Amount{{150, 200, 300}, {300, 400, 0}, {0, 0, 200}}
	if f.Points != 1550 || len(f.Rules) != len(want) {
		t.Fatalf("%v by %d rules", f.Points, len(f.Rules))
	}
	for i, r := range f.Rules {
		for n, points := range r.Items {
			if points != want[i][n] {
				t.Errorf("rule %d gives item %d %v, want %v", i, n, points, want[i][n])
			}
		}
	}
}
