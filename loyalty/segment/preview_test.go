package segment

import (
	"fmt"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

func (s *shop) preview(limit int, lines ...string) (reach customer.Reach) {
	s.Helper()
	parts := s.draft("preview", lines...).Parts
	err := store.Read(s.Context(), s.DB, s.Store, func(tx *db.Tx) (err error) {
		reach, err = s.svc.Preview(tx, s.Store, parts, limit)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return reach
}

func TestPreviewCountsWhomTheSegmentWillHave(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		s.customer(customer.Registration{FirstName: "eva", Email: "eva@example.com", Labels: label("a")})
		s.deactivate("eva")
		s.sell("ole", "1", "2031-04-01 10:00", transaction.Transaction{Items: []transaction.Item{item("TEA", 10)}})
		s.sell("ida", "2", "2031-07-01 10:00", transaction.Transaction{Items: []transaction.Item{item("TEA", 10)}})
		for _, test := range []struct {
			lines []string
			want  int64
		}{
			{labelled("a"), 2},
			{criterion("no_purchase_for_n_days", "[days]=90"), 1},
			{criterion("bought_skus", "[skuIds][]=TEA"), 2},
			{criterion("customer_list", "[customers][]=kai@example.com", "[customers][]=eva@example.com"), 1},
			{append(labelled("a"), "[parts][1][criteria][0][type]=customer_list",
				"[parts][1][criteria][0][customers][]=ida@example.com"), 1},
		} {
			got := s.preview(customer.PreviewLimit, test.lines...)
			if got.Customers != test.want || got.Total != 3 || got.Estimate || len(got.Examples) != int(test.want) {
				t.Errorf("%v: %+v", test.lines, got)
			}
		}
	})
}

// idAt returns an id that was made at the time.
func idAt(at time.Time, n int) string {
	ms := at.UnixMilli()
	return fmt.Sprintf("%08x-%04x-7000-8000-%012x", ms>>16, ms&0xffff, n)
}

func TestPreviewOfManyIsAnEstimate(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		const days, perDay = 70, 60
		for day := range days {
			s.Write(func(tx *db.Tx) error {
				for i := range perDay {
					in := customer.Registration{
						FirstName: fmt.Sprint(day, "-", i), Email: fmt.Sprint(day, "-", i, "@example.com"), Active: true,
					}
					if i < perDay/4 {
						in.Labels = label("quarter")
					}
					c, err := customer.Register(tx, s.Store, in)
					if err == nil { // ids begin with the time of the machine, which passes unevenly
						_, err = tx.Exec(`UPDATE customers SET customer_id = $3 WHERE store_id = $1 AND customer_id = $2`,
							s.Store.Key, c.ID, idAt(s.clock.Now(), i))
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			s.clock.Advance(24 * time.Hour)
		}
		const all = days * perDay
		got := s.preview(customer.PreviewLimit, labelled("quarter")...)
		if got.Customers != all/4 || got.Total != all || got.Estimate {
			t.Errorf("%+v", got)
		}
		got = s.preview(1000, labelled("quarter")...)
		if !got.Estimate || got.EstimatedBy != "sample" || got.Examined >= all/2 || got.Total != all ||
			got.Customers < all/6 || got.Customers > all/3 {
			t.Errorf("%+v", got)
		}
		// Half of the registrations are this long ago; customers who registered first are not the only ones looked at.
		got = s.preview(1500, criterion("no_purchase_for_n_days", "[days]=35")...)
		if !got.Estimate || got.Customers < all/3 || got.Customers > all*2/3 {
			t.Errorf("%+v", got)
		}
		// Listed customers are counted one by one.
		got = s.preview(1,
			criterion("customer_list", "[customers][]=69-0@example.com", "[customers][]=1-1@example.com")...)
		if !got.Estimate || got.Customers != 2 || len(got.Examples) != 2 || got.Total != all {
			t.Errorf("%+v", got)
		}
	})
}
