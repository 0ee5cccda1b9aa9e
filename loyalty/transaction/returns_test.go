package transaction

import (
	"errors"
	"strings"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// change changes a customer's e-mail address.
func (s *shop) move(who *customer.Customer, email string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.Store.Key, who.ID)
		if err != nil {
			return err
		}
		c.Email = email
		return customer.Save(tx, c)
	})
}

// A return belongs to the owner of its sale, whatever has become of the contact in the data or of the owner.
func TestReturnsFindTheOwnerOfTheSale(t *testing.T) {
	dbtest.Both(t)
	type made struct{ ida, ole *customer.Customer }
	anonymized := func(tx *db.Tx, s *shop, id string) error {
		c, err := customer.Find(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		return customer.Anonymize(tx, s.Store, c)
	}
	for _, c := range []struct {
		name    string
		between func(s *shop, m made)
		data    CustomerData
		refused bool
	}{
		{"the address of the sale", nil, CustomerData{Email: "ida@example.com"}, false},
		{"the old address", func(s *shop, m made) { s.move(m.ida, "new@example.com") },
			CustomerData{Email: " IDA@example.com"}, false},
		{"the old address, and the sale has no other data", func(s *shop, m made) { s.move(m.ida, "new@example.com") },
			CustomerData{Email: "older@example.com"}, false},
		{"the new address", func(s *shop, m made) { s.move(m.ida, "new@example.com") },
			CustomerData{Email: "new@example.com"}, false},
		{"the old address, which another customer has by now", func(s *shop, m made) {
			s.move(m.ida, "new@example.com")
			s.move(m.ole, "ida@example.com")
		}, CustomerData{Email: "ida@example.com"}, false},
		{"an address of nobody", nil, CustomerData{Email: "nobody@example.com"}, false},
		{"no data, as with a present", nil, CustomerData{Name: "Somebody"}, false},
		{"another customer", nil, CustomerData{Email: "ole@example.com"}, true},
		{"another customer, while the owner is blocked", func(s *shop, m made) {
			s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, m.ida.ID) })
		}, CustomerData{Email: "ole@example.com"}, true},
		{"a blocked owner", func(s *shop, m made) {
			s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, m.ida.ID) })
		}, CustomerData{Email: "ida@example.com"}, false},
		{"an anonymized owner", func(s *shop, m made) {
			s.Write(func(tx *db.Tx) error { return anonymized(tx, s, m.ida.ID) })
		}, CustomerData{Email: "ida@example.com"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
				s := newShop(t, d)
				m := made{s.customer("ida@example.com", "", ""), s.customer("ole@example.com", "", "")}
				s.register(document("S-1", "ida@example.com", 150))
				if c.between != nil {
					c.between(s, m)
				}
				draft := back("R-1", "", 60, "S-1")
				draft.CustomerData = c.data
				returned, err := s.try(draft)
				if refused, is := errors.AsType[*Refused](err); is != c.refused || is && refused.Revised != errWrongOwner {
					t.Fatalf("%v, refused should be %t", err, c.refused)
				}
				want := standing{1, whole(90), whole(90), 0, 0, whole(90), false, "2031-07-03"}
				if c.refused {
					want = standing{1, whole(150), whole(150), 0, 0, whole(150), true, "2031-07-03"}
				} else if returned.CustomerID != m.ida.ID || s.find(returned.ID).CustomerID != m.ida.ID {
					t.Errorf("the return belongs to %q", returned.CustomerID)
				}
				if got := s.standing(m.ida.ID); got != want {
					t.Errorf("the owner has %+v, want %+v", got, want)
				}
				if got := s.standing(m.ole.ID); got != (standing{}) {
					t.Errorf("the other customer has %+v", got)
				}
			})
		})
	}
}

// A sale of nobody comes back to nobody, also from a customer who registered or was deleted since.
func TestReturnsOfNobodysSales(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		gone := s.customer("gone@example.com", "", "")
		s.register(document("S-1", "ida@example.com", 50))
		s.register(document("S-2", "gone@example.com", 50))
		s.remove(gone)
		ida := s.customer("ida@example.com", "", "")
		for _, draft := range []Transaction{
			back("R-1", "ida@example.com", 10, "S-1"), back("R-2", "", 10, "S-1"),
			back("R-3", "gone@example.com", 10, "S-2"), back("R-4", "ida@example.com", 10, "S-2"),
		} {
			if made := s.register(draft); made.CustomerID != "" {
				t.Errorf("%s belongs to %q", draft.DocumentNumber, made.CustomerID)
			}
		}
		if got := s.standing(ida.ID); got != (standing{}) {
			t.Errorf("%+v", got)
		}
		if err := s.assign("S-1", ida); err != nil {
			t.Fatal(err)
		}
		if got := s.standing(ida.ID); got.Points != whole(30) || got.Amount != whole(30) {
			t.Errorf("assigned with its returns: %+v", got)
		}
	})
}

// A store that wants whole points takes back whole points: what stays of a sale is rounded as rules round it.
func TestReturnsOfWholePoints(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		sevenPoints := Hooks{Earn: func(*db.Tx, *store.Store) (Earnings, []db.Query) {
			return paid(func(*Transaction) points.Amount { return decimal.Whole(7) }), nil
		}}
		for rounding, want := range map[string]string{
			store.PointsHundredths: "7 4.9 2.1 0", store.PointsHalfUp: "7 5 2 0", store.PointsFloor: "7 4 2 0",
		} {
			s.Store.Settings.PointsRounding = rounding
			var got []string
			for _, draft := range []Transaction{
				document("S-"+rounding, "ida@example.com", 10), back("R-1-"+rounding, "ida@example.com", 3, "S-"+rounding),
				back("R-2-"+rounding, "ida@example.com", 4, "S-"+rounding),
				back("R-3-"+rounding, "ida@example.com", 3, "S-"+rounding),
			} {
				s.Write(func(tx *db.Tx) error {
					_, err := Register(tx, s.Store, draft, sevenPoints)
					return err
				})
				got = append(got, s.standing(ida.ID).Points.String())
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %v, want %s", rounding, got, want)
			}
		}
	})
}
