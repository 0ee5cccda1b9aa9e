package segment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

func cutLine(line string) (key, value string, found bool) { return strings.Cut(line, "=") }

// criterion returns the form lines of a segment with one criterion.
func criterion(kind string, lines ...string) []string {
	of := []string{"[parts][0][criteria][0][type]=" + kind}
	for _, line := range lines {
		of = append(of, "[parts][0][criteria][0]"+line)
	}
	return of
}

// decisions list which customers of populate meet a criterion on 3 July 2031, sorted. north and south are points
// of sale.
func decisions(north, south string) []struct {
	lines []string
	want  string
} {
	amounts := func(kind, from, to string) []string {
		return criterion(kind, "[fromAmount]="+from, "[toAmount]="+to)
	}
	return []struct {
		lines []string
		want  string
	}{
		{criterion("anniversary", "[anniversaryType]=birthday", "[days]=1"), "ida"},
		{criterion("anniversary", "[anniversaryType]=birthday", "[days]=2"), "ida kai"},
		{criterion("anniversary", "[anniversaryType]=birthday", "[days]=365"), "ida kai"},
		{criterion("anniversary", "[anniversaryType]=birthday", "[days]=366"), "ida kai ole"},
		{criterion("anniversary", "[anniversaryType]=registration", "[days]=1"), "ida kai"},
		{criterion("anniversary", "[anniversaryType]=registration", "[days]=6"), "ida kai ole"},
		{criterion("bought_in_pos", "[posIds][]="+north), "ida"},
		{criterion("bought_in_pos", "[posIds][]="+north, "[posIds][]="+south), "ida ole"},
		{criterion("transaction_count", "[min]=0", "[max]=0"), "kai"},
		{criterion("transaction_count", "[min]=1", "[max]=1"), "ole"},
		{criterion("transaction_count", "[min]=1", "[max]=3"), "ida ole"},
		{amounts("transaction_amount", "60", "60"), "ida"},
		{amounts("transaction_amount", "0", "59.99"), "kai ole"},
		{amounts("transaction_amount", "60.01", "1000"), ""},
		{amounts("average_transaction_amount", "20", "20"), "ida"},
		{amounts("average_transaction_amount", "20.01", "50"), "ole"},
		{criterion("last_purchase_n_days_before", "[days]=1"), "ida"},
		{criterion("last_purchase_n_days_before", "[days]=31"), "ida"},
		{criterion("last_purchase_n_days_before", "[days]=32"), "ida ole"},
		{criterion("last_purchase_n_days_before", "[days]=9223372036854775807"), "ida ole"},
		{criterion("no_purchase_for_n_days", "[days]=1"), "ida kai ole"},
		{criterion("no_purchase_for_n_days", "[days]=32"), "kai ole"},
		{criterion("no_purchase_for_n_days", "[days]=33"), "kai"}, // who never bought
		{criterion("no_purchase_for_n_days", "[days]=9223372036854775807"), ""},
		{criterion("purchase_period", "[fromDate]=2031-06-01", "[toDate]=2031-06-01"), "ida ole"},
		{criterion("purchase_period", "[fromDate]=2031-06-02", "[toDate]=2031-07-01"), ""},
		{criterion("purchase_period", "[fromDate]=2031-06-02", "[toDate]=2031-07-02"), "ida"},
		{criterion("purchase_period", "[fromDate]=2031-05-20", "[toDate]=2031-05-20"), ""}, // all were returned
		{criterion("transaction_percent_in_pos", "[posId]="+north, "[percent]=66.66"), "ida"},
		{criterion("transaction_percent_in_pos", "[posId]="+north, "[percent]=66.67"), ""},
		{criterion("transaction_percent_in_pos", "[posId]="+south, "[percent]=100"), "ole"},
		{criterion("bought_skus", "[skuIds][]=TEA"), "ida ole"},
		{criterion("bought_skus", "[skuIds][]=tea", "[skuIds][]=CUP"), "ida"},
		{criterion("bought_skus", "[skuIds][]=RETURNED"), ""},
		{criterion("bought_makers", "[makers][]=Maker of CUP"), "ida"},
		{criterion("bought_makers", "[makers][]=maker of CUP"), ""},
		{criterion("bought_labels", "[labels][0][key]=COLOUR"), "ida ole"},
		{criterion("bought_labels", "[labels][0][key]=colour", "[labels][0][value]=Red"), "ida"},
		{criterion("bought_labels", "[labels][0][key]=size", "[labels][1][key]=colour", "[labels][1][value]=BLUE"), "ole"},
		{criterion("customer_has_labels", "[labels][0][key]=CITY"), "ida ole"},
		{criterion("customer_has_labels", "[labels][0][key]=town", "[labels][1][key]=vip"), "kai"},
		{criterion("customer_has_labels_with_values", "[labels][0][key]=city", "[labels][0][value]=oslo"), "ida"},
		{criterion("customer_has_labels_with_values", "[labels][0][key]=vip", "[labels][0][value]=oslo"), ""},
		{criterion("customer_with_labels_values", "[labels][0][key]=city", "[labels][0][value]=oslo"), "ida"},
		{criterion("customer_language", "[languages][]=pl"), "ida"},
		{criterion("customer_language", "[languages][]=en", "[languages][]=pl"), "ida kai"},
		{criterion("customer_consent", "[agreement]=agreement1", "[given]=1"), "ida kai ole"},
		{criterion("customer_consent", "[agreement]=agreement2", "[given]=1"), "ida"},
		{criterion("customer_consent", "[agreement]=agreement2"), "kai ole"},
		{criterion("customer_consent", "[agreement]=agreement3", "[given]=1"), ""},
		{criterion("customer_list", "[customers][]=ida@EXAMPLE.com", "[customers][]=+4790000002",
			"[customers][]=ole@example.com"), "ida ole"},
		{criterion("customer_list", "[customers][]=card-3", "[customers][]=blocked@example.com"), "kai"},
	}
}

// tills creates two points of sale.
func (s *shop) tills() (north, south string) {
	s.Helper()
	for _, name := range []string{"south", "north"} {
		s.Write(func(tx *db.Tx) error {
			made, err := pos.Create(tx, s.Store.Key, pos.Details{Identifier: name, Name: name})
			if err == nil {
				north, south = made.ID, north
			}
			return err
		})
	}
	return north, south
}

// people are the customers of populate.
func (s *shop) people() {
	s.Helper()
	for _, l := range []store.Language{{Code: "en", Name: "English", Default: true}, {Code: "pl", Name: "Polski"}} {
		s.Write(func(tx *db.Tx) error { return store.AddLanguage(tx, l) })
	}
	for _, one := range []struct {
		name, birth, created, phone, card string
		labels                            []customer.Label
	}{
		{"ida", "1990-07-03", "2025-07-03T12:00:00Z", "", "", []customer.Label{{Key: "city", Value: "Oslo"}}},
		// On 2 July in UTC, on 3 July in the store.
		{"kai", "2000-07-04", "2024-07-02T22:30:00Z", "", "CARD-3", []customer.Label{{Key: "VIP", Value: "yes"}}},
		{"ole", "1985-07-02", "2020-07-08T12:00:00Z", "+4790000002", "", []customer.Label{{Key: "City", Value: "Bergen"}}},
		{"blocked", "1990-07-03", "2025-07-03T12:00:00Z", "", "", []customer.Label{{Key: "city", Value: "Oslo"}}},
	} {
		s.customer(customer.Registration{
			FirstName: one.name, Email: one.name + "@example.com", BirthDate: one.birth, CreatedAt: moment(s.TB, one.created),
			Phone: one.phone, LoyaltyCard: one.card, Labels: one.labels,
			Agreements: [3]bool{true, one.name == "ida", false}, Locale: map[string]string{"ida": "pl", "kai": "en"}[one.name],
		})
	}
}

func (s *shop) purchases(north, south string) {
	s.Helper()
	colour := func(value string) transaction.Label { return transaction.Label{Key: "Colour", Value: value} }
	goods := func(till string, items ...transaction.Item) transaction.Transaction {
		return transaction.Transaction{POSID: till, Items: items}
	}
	back := func(number string, items ...transaction.Item) transaction.Transaction {
		return transaction.Transaction{Type: transaction.Return, RevisedDocument: number, Items: items}
	}
	s.sell("ida", "1", "2031-06-01 12:00", goods(north, item("TEA", 10), item("CUP", 20, colour("red"))))
	s.sell("ida", "2", "2031-07-02 00:30", goods(north, item("TEA", 25)))
	s.sell("ida", "3", "2031-05-01 10:00", goods("", item("TEA", 10)))
	s.sell("ida", "4", "2031-07-02 18:00", back("2", item("TEA", 5)))
	s.sell("ida", "5", "2031-05-20 10:00", goods(south, item("RETURNED", 99, colour("green"))))
	s.sell("ida", "6", "2031-05-21 10:00", back("5", item("RETURNED", 99)))
	s.sell("ole", "7", "2031-06-01 00:00", goods(south, item("TEA", 40, colour("Blue"))))
	s.sell("blocked", "8", "2031-07-01 00:00", goods(south, item("TEA", 40)))
	s.deactivate("blocked")
}

// Each criterion decides the same in a rebuild and in the check of one customer.
func TestEveryCriterion(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		north, south := s.tills()
		s.people()
		before := map[int]string{}
		cases := decisions(north, south)
		for i, c := range cases {
			before[i] = s.create(fmt.Sprintf("before %d", i), c.lines...)
		}
		s.purchases(north, south)
		for i, c := range cases {
			after := s.create(fmt.Sprintf("after %d", i), c.lines...)
			for way, id := range map[string]string{"one by one": before[i], "all at once": after} {
				if got := strings.Join(s.members(id), " "); got != c.want {
					t.Errorf("%s, %s: %q, want %q", c.lines, way, got, c.want)
				}
			}
			s.expect(after, strings.Fields(c.want)...)
			s.expect(before[i], strings.Fields(c.want)...)
		}
	})
}

// Parts are joined by AND and criteria by OR; the setting swaps them.
func TestPartsAndCriteria(t *testing.T) {
	yes := Criterion{Type: "transaction_count", Fields: &TransactionCount{}}
	no := Criterion{Type: "customer_list", Fields: &CustomerList{}}
	who, svc := &Facts{}, New()
	who.Status = customer.Active
	for _, c := range []struct {
		parts   [][]Criterion
		and, or bool
	}{
		{[][]Criterion{{yes}}, true, true},
		{[][]Criterion{{no}}, false, false},
		{[][]Criterion{{yes, no}}, true, false},
		{[][]Criterion{{yes}, {no}}, false, true},
		{[][]Criterion{{no, yes}, {no}}, false, false},
		{[][]Criterion{{no, yes}, {yes, no}}, true, false},
		{[][]Criterion{{yes, yes}, {no, no}}, false, true},
		{nil, false, false},
	} {
		var parts []Part
		for _, criteria := range c.parts {
			parts = append(parts, Part{Criteria: criteria})
		}
		if got := svc.matches(parts, who, Basis{}); got != c.and {
			t.Errorf("%v, parts joined by AND: %v", parts, got)
		}
		if got := svc.matches(parts, who, Basis{Alternative: true}); got != c.or {
			t.Errorf("%v, parts joined by OR: %v", parts, got)
		}
	}
}

func TestOnlyActiveCustomersMatch(t *testing.T) {
	for status, want := range map[string]bool{
		customer.Active: true, customer.New: false, customer.Blocked: false, customer.Deleted: false,
	} {
		who := &Facts{}
		who.Status = status
		parts := []Part{{Criteria: []Criterion{{Type: "transaction_count", Fields: &TransactionCount{}}}}}
		if got := New().matches(parts, who, Basis{}); got != want {
			t.Errorf("%s: %v", status, got)
		}
	}
}

func TestAnniversaries(t *testing.T) {
	for _, c := range []struct {
		of, today string
		days      int64
		want      bool
	}{
		{"1990-07-03", "2031-07-03", 1, true},
		{"1990-07-04", "2031-07-03", 1, false},
		{"1990-07-04", "2031-07-03", 2, true},
		{"1990-07-02", "2031-07-03", 365, false},
		{"1990-07-02", "2031-07-03", 366, true},
		{"2031-07-03", "2031-07-03", 1, true},
		{"2040-07-03", "2031-07-03", 1, true},
		{"1990-01-01", "2031-12-31", 1, false},
		{"1990-01-01", "2031-12-31", 2, true},
		{"1990-12-31", "2031-12-31", 1, true},
		{"1990-12-30", "2031-12-31", 30, false},
		{"1990-01-30", "2031-12-31", 31, true},
		{"1990-01-31", "2031-12-31", 31, false},
		{"2000-02-29", "2031-02-28", 1, true},
		{"2000-02-29", "2031-02-27", 1, false},
		{"2000-02-29", "2031-02-27", 2, true},
		{"2000-02-29", "2031-03-01", 1, false},
		{"2000-02-29", "2032-02-28", 1, false},
		{"2000-02-29", "2032-02-28", 2, true},
		{"2000-02-29", "2032-02-29", 1, true},
		{"2000-02-28", "2032-02-29", 1, false},
		{"2000-02-29", "2031-12-31", 61, true}, // 29 February 2032 is the sixty-first day
		{"2000-02-29", "2031-12-31", 60, false},
		{"", "2031-07-03", 366, false},
		{"1990-07-03", "2031-07-04", 1 << 62, true},
	} {
		if got := anniversaryWithin(c.of, c.today, c.days); got != c.want {
			t.Errorf("anniversary of %q within %d days of %s: %v", c.of, c.days, c.today, got)
		}
	}
}

func TestPercentIsAFraction(t *testing.T) {
	for percent, want := range map[Percent]string{
		1_000_000: "0.01", 100_000_000: "1", 66_670_000: "0.6667", 33_333_333: "0.33333333",
	} {
		text, err := percent.MarshalJSON()
		if err != nil || string(text) != want {
			t.Errorf("%d is written %s, %v", percent, text, err)
		}
	}
	for percent := Percent(1); percent <= whole; percent += 9_973 {
		var back Percent
		text, _ := percent.MarshalJSON()
		if err := back.UnmarshalJSON(text); err != nil || back != percent {
			t.Fatalf("%s is read as %d, %v", text, back, err)
		}
	}
}

func TestAverages(t *testing.T) {
	for _, c := range []struct{ totals, want Totals }{
		{Totals{}, Totals{}},
		{Totals{Members: 3}, Totals{}},
		{Totals{3, 2, 1_000_000}, Totals{333_300, 67, 500_000}},
	} {
		got := Totals{
			int64(c.totals.AverageValue(2)), int64(c.totals.AverageTransactions()), c.totals.AverageTransaction(2),
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c.totals, diff)
		}
	}
}

// Facts hold only the numbers of purchases that criteria count.
func TestFactsStaySmall(t *testing.T) {
	counters := New().counters([]Segment{{Active: true, Parts: []Part{{Criteria: []Criterion{
		{ID: "1", Type: "bought_skus", Fields: &BoughtSKUs{[]string{"A"}}},
		{ID: "2", Type: "purchase_period", Fields: &PurchasePeriod{"2031-01-01", "2031-01-02"}},
	}}}}}, time.UTC)
	f := &Facts{counted: map[string]int64{}}
	for i := range 1000 {
		f.count(counters.sales, &transaction.Sale{
			POSID: fmt.Sprint(i), PurchasedAt: (parseDate("2031-01-01") + calendar.Day(i)).UTC(),
			Items: []transaction.Item{item("A", 1), item(fmt.Sprint(i), 1, transaction.Label{Key: fmt.Sprint(i)})},
		})
	}
	if diff := cmp.Diff(map[string]int64{"1": 1000, "2": 2}, f.counted); diff != "" || f.Sales != 1000 {
		t.Errorf("%d sales (-want +got): %s", f.Sales, diff)
	}
}

// A criterion of an unknown type is never ignored: reading the segment fails, and the check names the type.
func TestUnknownTypesAreErrors(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		id := s.create("labelled", criterion("customer_has_labels", "[labels][0][key]=a")...)
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE segments SET parts = REPLACE(parts, 'customer_has_labels', 'moon_phase')
				WHERE segment_id = $1`, id)
			return err
		})
		const want = `unknown type "moon_phase"; known are anniversary, bought_in_pos, `
		err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			_, err := s.svc.find(tx, s.Store.Key, id)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read: %v", err)
		}
		var findings []string
		_, err = check.Run(t.Context(), s.DB, []check.Rule{s.svc.KnownTypes()}, check.Report{
			Begin: func(string, int, int) {}, Finding: func(f check.Finding) { findings = append(findings, f.String()) },
		})
		if err != nil || len(findings) != 1 || !strings.Contains(findings[0], want) {
			t.Errorf("check: %v, %q", err, findings)
		}
	})
}
