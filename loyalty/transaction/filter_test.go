package transaction

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A page far from the beginning holds the rows that a long first page has there, in every order.
func TestDeepPagesOfTransactions(t *testing.T) {
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
					all, _, err := page(tx, s.Store.Key, filter{}, asked)
					if err != nil {
						return err
					}
					asked.Offset, asked.Limit = 103, 5
					deep, _, err := page(tx, s.Store.Key, filter{}, asked)
					if diff := cmp.Diff(all[103:108], deep); diff != "" || err != nil {
						t.Errorf("%+v: %s %v", asked, diff, err)
					}
				}
			}
			return nil
		})
	})
}
