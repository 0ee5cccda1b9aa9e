package bulk

import (
	"testing"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// The rule of the customers of effects knows actions of earlier programs, which could name nobody.
func TestCheckOfUnknownCustomers(t *testing.T) {
	each(t, 1, func(s *shop) {
		const nobody = "00000000-0000-7000-8000-000000000000"
		id := s.begin("givePoints", Details{Points: 100}, Selection{Customers: []string{nobody, s.ids[0]}})
		s.work()
		s.expect(id, Finished, 2, 1, 0, 0) // compares with the rules
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE bulk_effects SET result = 'done' WHERE store_id = $1 AND customer_id = $2`,
				s.Store.Key, nobody)
			return err
		})
		found := 0
		if _, err := check.Run(s.Context(), s.DB, s.svc.Feature().Rules, check.Report{
			Begin: func(string, int, int) {}, More: func(string, int64) {}, Finding: func(check.Finding) { found++ },
		}); err != nil || found == 0 {
			t.Errorf("%d findings, %v; want some of an effect without a customer", found, err)
		}
	})
}

// All filters of the list of customers are refused when they cannot be read, and none is unknown.
func TestUnreadableFilters(t *testing.T) {
	each(t, 0, func(s *shop) {
		for _, f := range filterFields() {
			query, err := form.ParseQuery(f.Name + "=%E2%80%8B")
			if err != nil {
				t.Fatal(err)
			}
			var read customer.Filter
			s.Read(func(tx *db.Tx) (err error) {
				read, err = customerapi.Filter(tx, query, now, s.Store)
				return err
			})
			ignored := form.IgnoredIn(query, filterFields(), read.Unread...)
			if want := f.Name != "q"; (len(ignored) == 1) != want { // nobody is found by a search for no words
				t.Errorf("%s with an invisible value: %d ignored", f.Name, len(ignored))
			}
		}
	})
}
