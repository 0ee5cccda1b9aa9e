package campaign

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
)

func TestFieldsOfBaskets(t *testing.T) {
	most := decimal.Money(2_5000)
	all := fields{
		"basket.exclusive": "1", "basket.order": "3", "basket.percentage": "12.5", "basket.cap": "2.50",
		"basket.skuIds.0": "TEA", "basket.categories.0": "food", "basket.labels.0.key": "bio", "basket.labels.0.value": "yes",
	}
	want := Basket{
		Exclusive: true, Order: 3, Percentage: 12_500_000, Cap: &most, SKUs: []string{"TEA"}, Categories: []string{"food"},
		Labels: []Label{{"bio", "yes"}},
	}
	for kind, expected := range map[string]*Basket{DiscountCode.Name: &want, EventCode.Name: nil} {
		got, problems, _ := readForm(t, valid().with(all).with(fields{"reward": kind}))
		if diff := cmp.Diff(expected, got.Definition.Basket); diff != "" || len(problems) > 0 {
			t.Errorf("%s: %v %s", kind, problems, diff)
		}
	}
	want.Percentage = 0
	got, _, _ := readForm(t, valid().with(all).with(fields{"reward": ValueCode.Name}))
	if diff := cmp.Diff(&want, got.Definition.Basket); diff != "" {
		t.Errorf("a value has a percentage: %s", diff)
	}
	got, _, _ = readForm(t, valid().with(fields{"basket.exclusive": "0", "basket.order": "0", "basket.cap": ""}))
	if got.Definition.Basket != nil {
		t.Errorf("empty fields are stored: %v", got.Definition.Basket)
	}
	for field, value := range map[string]string{
		"order": "1000", "percentage": "100.000001", "cap": "-1", "labels.0.value": "without a key",
		"skuIds.0": strings.Repeat("x", 256),
	} {
		if _, problems, _ := readForm(t, valid().with(fields{"basket." + field: value})); len(problems) != 1 {
			t.Errorf("%s %s: %v", field, value, problems)
		}
	}
}

func TestLinesOfBaskets(t *testing.T) {
	line := &transaction.Item{
		SKU: transaction.SKU{Code: "TEA"}, Category: "food", Labels: []transaction.Label{{Key: "bio", Value: "yes"}},
	}
	for _, of := range []Basket{
		{SKUs: []string{"CUP", "TEA"}}, {Categories: []string{"food"}}, {Labels: []Label{{"bio", "yes"}}},
	} {
		if !of.Names(line) || !of.NamesLines() {
			t.Errorf("%+v does not name the line", of)
		}
	}
	other := Basket{SKUs: []string{"food"}, Categories: []string{"TEA"}, Labels: []Label{{"bio", "no"}}}
	if other.Names(line) || (&Basket{}).NamesLines() {
		t.Error("another line is named")
	}
}
