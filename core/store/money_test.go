package store

import (
	"strings"
	"testing"

	"golang.org/x/text/currency"

	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// TestAmountsOfEveryCurrency reads amounts in every currency that golang.org/x/text knows.
func TestAmountsOfEveryCurrency(t *testing.T) {
	const sent = "1234.56785"
	want := map[int]string{0: "1235", 2: "1234.57", 3: "1234.568", 4: "1234.5679"}
	n := 0
	for all := currency.Query(currency.Historical); all.Next(); n++ {
		s := &Store{Currency: all.Unit().String()}
		node, err := form.ParseQuery("amount=" + sent + "&most=1234." + strings.Repeat("5", s.MoneyDigits()) + "&more=0." +
			strings.Repeat("0", s.MoneyDigits()) + "1")
		if err != nil {
			t.Fatal(err)
		}
		g := form.Read(node)
		if got := s.ReadMoney(g, "amount"); got.String() != want[s.MoneyDigits()] {
			t.Errorf("%s of %s is read as %v, want %s", sent, s.Currency, got, want[s.MoneyDigits()])
		}
		exact := form.AtMostDigits(s.MoneyDigits())
		if got := s.ReadMoney(g, "most", exact); got.Round(s.MoneyDigits()) != got || g.Err() != nil {
			t.Errorf("%s: %v, %v", s.Currency, got, g.Err())
		}
		if s.ReadMoney(g, "more", exact); !g.Failed("more") {
			t.Errorf("%s: a further digit is accepted", s.Currency)
		}
	}
	if n < 150 {
		t.Errorf("only %d currencies", n)
	}
}

// TestSmallAmountsAreRoundedOnce reads an amount that two roundings, to four digits and to two, would round up.
func TestSmallAmountsAreRoundedOnce(t *testing.T) {
	node, err := form.ParseQuery("amount=0.004996")
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{Currency: "EUR"}
	if got := s.ReadMoney(form.Read(node), "amount"); got != 0 {
		t.Errorf("read %v", got)
	}
	if got := (&Store{Currency: "KWD"}).ReadMoney(form.Read(node), "amount"); got != decimal.Unit(3)*5 {
		t.Errorf("read %v", got)
	}
}
