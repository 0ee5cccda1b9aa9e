package transaction

import (
	"testing"

	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// remove deletes a customer as far as documents are concerned.
func (s *shop) remove(who *customer.Customer) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.Store.Key, who.ID)
		if err != nil {
			return err
		}
		if err := customer.Delete(tx, s.Store, c); err != nil {
			return err
		}
		return disown(tx, s.Store, customer.Changed{After: c})
	})
}

// A sale earns once in its life: neither the same person with a new account nor anybody else earns by it again.
func TestSaleEarnsOnce(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		first := s.customer("ida@example.com", "", "")
		s.register(document("S-1", "ida@example.com", 60))
		s.register(document("S-2", "ida@example.com", 40))
		s.register(document("S-3", "nobody@example.com", 5))
		s.register(back("R-2", "ida@example.com", 10, "S-2"))
		s.remove(first)
		ida := s.customer("ida@example.com", "", "")
		if err := s.claim("S-1", ida); err != nil {
			t.Fatal(err)
		}
		ole := s.customer("ole@example.com", "", "")
		for _, number := range []string{"S-2", "S-3"} {
			if err := s.assign(number, ole); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.standing(ida.ID); got.Points != 0 || got.Count != 1 || got.Amount != whole(60) {
			t.Errorf("claimed again: %+v", got)
		}
		if got := s.standing(ole.ID); got.Points != whole(5) || got.Count != 2 || got.Amount != whole(35) {
			t.Errorf("assigned to another, with one that never earned: %+v", got)
		}
		s.register(back("R-1", "ida@example.com", 60, "S-1"))
		if got := s.standing(ida.ID); got.Points != 0 || got.Count != 0 || got.Amount != 0 {
			t.Errorf("and returned: %+v", got)
		}
		s.remove(ida)
		eva := s.customer("eva@example.com", "", "")
		if err := s.assign("S-1", eva); err != nil {
			t.Fatal(err)
		}
		if got := s.standing(eva.ID); got != (standing{}) {
			t.Errorf("after two owners and a return: %+v", got)
		}
	})
}
