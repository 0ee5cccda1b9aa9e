package transaction

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A document that names its customer belongs to them, whatever its data says, or is refused.
func TestNamedCustomers(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "+4790000001", "NO-1")
		off := s.customer("off@example.com", "+4790000004", "NO-4")
		s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, off.ID) })
		s.Store.Settings.Identification = []store.Identification{{Priority: 1, Field: "email"}}
		registrar := NewRegistrar(s.DB, earnsItsValue)
		for i, c := range []struct{ named, wants string }{
			{strings.ToUpper(ida.ID), ida.ID},
			{"no-1", ida.ID}, // also where the store does not match by cards
			{"+47 90 00 00 01", ida.ID},
			{" IDA@example.com", ida.ID},
			{"nobody@example.com", ""},
			{"NO-9", ""},
			{off.ID, ""},
			{"NO-4", ""},
			{db.NewID(), ""},
		} {
			draft := document(fmt.Sprint("D-", i), "off@example.com", 10)
			made, err := registrar.Register(s.Context(), Draft{Store: s.Store, Transaction: draft, Customer: c.named})
			refused, is := errors.AsType[*Refused](err)
			switch {
			case c.wants == "":
				if !is || !refused.CustomerUnknown {
					t.Errorf("%s: %v", c.named, err)
				}
			case err != nil:
				t.Errorf("%s: %v", c.named, err)
			case made.CustomerID != c.wants || made.moved != whole(10) || s.find(made.ID).CustomerID != c.wants:
				t.Errorf("%s: of %q with %v points", c.named, made.CustomerID, made.moved)
			}
		}
		if got := s.standing(ida.ID).Points; got != whole(40) {
			t.Errorf("the customer has %v points, want 40", got)
		}
	})
}
