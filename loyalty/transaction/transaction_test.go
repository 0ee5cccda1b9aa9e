package transaction

import (
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/decimal"
)

func line(sku, category string, value int64) Item {
	return Item{
		SKU: SKU{sku}, Category: category, Quantity: 1_000, GrossValue: decimal.Whole(value).Money(), Labels: []Label{},
	}
}

func TestSumsLeaveOutWhatIsExcluded(t *testing.T) {
	e := Excluded{
		DeliverySKUs: []string{"POST", "DHL"}, LevelSKUs: []string{"GIFT", "DHL"}, LevelCategories: []string{"vouchers"},
	}
	for _, c := range []struct {
		name                                string
		items                               []Item
		gross, without, excluded, bothLists int64
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"plain lines", []Item{line("A", "x", 10), line("A", "y", 5)}, 15, 15, 0, 0},
		{"delivery", []Item{line("A", "x", 10), line("POST", "x", 5)}, 15, 10, 0, 0},
		{"excluded SKU", []Item{line("GIFT", "x", 10), line("A", "x", 1)}, 11, 11, 10, 0},
		{"excluded category", []Item{line("A", "vouchers", 10), line("B", "Vouchers", 1)}, 11, 11, 10, 0},
		{"SKU and category count once", []Item{line("GIFT", "vouchers", 10)}, 10, 10, 10, 0},
		{"delivery that is excluded too", []Item{line("DHL", "x", 7), line("A", "x", 1)}, 8, 1, 7, 7},
		{"a discount", []Item{line("A", "x", 10), line("OFF", "x", -2)}, 8, 8, 0, 0},
		{"a discount on delivery alone", []Item{line("A", "x", 10), line("POST", "x", -2)}, 8, 8, 0, 0},
		{"a discount on goods that leaves less than the delivery", []Item{line("DHL", "x", 7), line("A", "x", 3),
			line("OFF", "x", -5)}, 5, 0, 5, 5},
		{"a discount that is excluded", []Item{line("A", "x", 10), line("GIFT", "x", -2)}, 8, 8, 0, 0},
		{"SKUs are compared exactly", []Item{line("post", "x", 7), line("gift", "x", 1)}, 8, 8, 0, 0},
	} {
		want := Amounts{
			decimal.Whole(c.gross).Money(), decimal.Whole(c.without).Money(), decimal.Whole(c.excluded).Money(),
			decimal.Whole(c.bothLists).Money(),
		}
		if got := e.sum(c.items); got != want {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

func TestShareOfAReturn(t *testing.T) {
	for _, c := range []struct {
		name                        string
		earned, taken, returned, of int64
		last                        bool
		want                        int64
	}{
		{"half", 7000, 0, 2000, 4000, false, 3500},
		{"the other half", 7000, 3500, 2000, 4000, true, 3500},
		{"rounded half up", 1, 0, 1, 2, false, 1},
		{"the last one takes what rounding left", 100, 66, 1, 3, true, 34},
		{"never more than earlier returns left", 100, 90, 1, 2, false, 10},
		{"nothing was earned", 0, 0, 1, 2, false, 0},
		{"some of it was canceled since", 10, 50, 1, 2, true, 0},
		{"a sale of nothing", 10, 0, 0, 0, true, 10},
	} {
		got := share(decimal.Hundredths(c.earned), decimal.Hundredths(c.taken), decimal.Money(c.returned),
			decimal.Money(c.of), c.last)
		if got != decimal.Hundredths(c.want) {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func amounts(t *rapid.T, name string) Amounts {
	gross := rapid.Int64Range(0, 1_000).Draw(t, name+" gross")
	excluded := rapid.Int64Range(0, gross).Draw(t, name+" excluded")
	return Amounts{
		Gross:            decimal.Money(gross),
		WithoutDelivery:  decimal.Money(rapid.Int64Range(0, gross).Draw(t, name+" without delivery")),
		ExcludedForLevel: decimal.Money(excluded),
		ExcludedDelivery: decimal.Money(rapid.Int64Range(0, excluded).Draw(t, name+" excluded delivery")),
	}
}

// However a sale is returned, its returns never exceed it, no part of the rest exceeds the whole, and the sale is
// completely returned when nothing of its gross value is left. The same holds for the points.
func TestReturnsNeverTakeMoreThanTheSale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sale := Transaction{Type: Sell, Amounts: amounts(t, "sale")}
		earned := decimal.Hundredths(rapid.Int64Range(0, 5_000).Draw(t, "earned"))
		var taken Amounts
		var points decimal.Hundredths
		for i := range rapid.IntRange(1, 6).Draw(t, "returns") {
			document := amounts(t, "return")
			before := sale.Returned
			took := sale.takeBack(document)
			if took.Gross < 0 || took.Gross > document.Gross {
				t.Fatalf("return %d of %v took %v", i, document, took)
			}
			taken = Amounts{}.minus(Amounts{}.minus(taken).minus(took))
			if sale.Returned != taken || before.Gross+took.Gross != sale.Returned.Gross {
				t.Fatalf("return %d: %v were returned, the sale knows of %v", i, taken, sale.Returned)
			}
			left := sale.Left()
			if left.Gross < 0 || left.WithoutDelivery < 0 || left.WithoutDelivery > left.Gross ||
				left.ExcludedForLevel < 0 || left.ExcludedForLevel > left.Gross ||
				left.ExcludedDelivery < 0 || left.ExcludedDelivery > left.ExcludedForLevel {
				t.Fatalf("return %d leaves %v", i, left)
			}
			if sale.FullyReturned != (left.Gross == 0) {
				t.Fatalf("fully returned is %t with %v left", sale.FullyReturned, left)
			}
			points += share(earned, points, took.Gross, sale.Amounts.Gross, sale.FullyReturned)
			if points > earned || sale.FullyReturned && points != earned {
				t.Fatalf("%v of %v points were taken", points, earned)
			}
		}
	})
}
