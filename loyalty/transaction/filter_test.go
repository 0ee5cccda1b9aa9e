package transaction

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/form"
)

// A page far from the beginning holds the rows that a long first page has there, in every order.
func TestDeepPagesOfTransactions(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		for i := range 110 {
			draft := document(fmt.Sprint(i*37%110), "", int64(1+i%7))
			draft.PurchasedAt = time.Date(2031, 7, 1+i%9, 0, 0, 0, 0, time.UTC)
			s.register(draft)
		}
		s.Write(func(tx *db.Tx) error {
			for name := range sortable.Columns {
				for _, descending := range []bool{false, true} {
					asked := api.Page{Sort: name, Descending: descending, Limit: 200}
					all, _, err := readPage(tx, s.Store.Key, filter{}, asked)
					if err != nil {
						return err
					}
					asked.Offset, asked.Limit = 103, 5
					deep, _, err := readPage(tx, s.Store.Key, filter{}, asked)
					if diff := cmp.Diff(all[103:108], deep, cmp.AllowUnexported(Transaction{})); diff != "" || err != nil {
						t.Errorf("%+v: %s %v", asked, diff, err)
					}
				}
			}
			return nil
		})
	})
}

// A date filters from its first to its last moment, also where midnight is skipped or the last hour occurs twice.
func TestDatesOfFilters(t *testing.T) {
	dbtest.Both(t)
	for _, c := range []struct{ text, from, after string }{
		{"2027-09-04", "2027-09-04T04:00:00Z", "2027-09-05T04:00:00Z"},
		{"2027-09-05", "2027-09-05T04:00:00Z", "2027-09-06T03:00:00Z"},
		{"2027-04-03", "2027-04-03T03:00:00Z", "2027-04-04T04:00:00Z"},
		{"2027-04-03 23:59:59", "2027-04-04T02:59:59Z", "2027-04-04T04:00:00Z"},
		{"2027-04-03T23:59:59-03:00", "2027-04-04T02:59:59Z", "2027-04-04T03:00:00Z"},
	} {
		santiago, err := time.LoadLocation("America/Santiago")
		if err != nil {
			t.Fatal(err)
		}
		from, after, ok := span(c.text, santiago)
		if !ok || from.UTC().Format(time.RFC3339) != c.from || after.UTC().Format(time.RFC3339) != c.after {
			t.Errorf("%s: got %s until before %s, %t", c.text, from, after, ok)
		}
	}
}

// The list of a day has its sales, and no others.
func TestSalesOfADayWithoutMidnight(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		santiago, err := time.LoadLocation("America/Santiago")
		if err != nil {
			t.Fatal(err)
		}
		for number, at := range map[string]string{
			"before": "2027-09-04T23:30:00-04:00", "first": "2027-09-05T01:00:00-03:00",
			"last": "2027-09-05T23:30:00-03:00", "after": "2027-09-06T00:00:00-03:00",
		} {
			draft := document(number, "", 1)
			if draft.PurchasedAt, err = time.Parse(time.RFC3339, at); err != nil {
				t.Fatal(err)
			}
			s.register(draft)
		}
		query, err := form.ParseQuery("purchaseDateFrom=2027-09-05&purchaseDateTo=2027-09-05")
		if err != nil {
			t.Fatal(err)
		}
		s.Store.Zone = santiago
		s.Read(func(tx *db.Tx) error {
			found, total, err := readPage(tx, s.Store.Key, readFilter(form.Read(query), s.Store), api.Page{
				Sort: "purchaseDate", Limit: 10,
			})
			if total != 2 || len(found) != 2 || found[0].DocumentNumber != "first" || found[1].DocumentNumber != "last" {
				t.Errorf("found %d: %v", total, found)
			}
			return err
		})
	})
}
