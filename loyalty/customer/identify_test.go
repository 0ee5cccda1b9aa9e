package customer

import (
	"fmt"
	"testing"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// TestOnlyVerifiedContactsIdentify follows an e-mail address and a phone from registration on, in stores that
// verify one of them or none.
func TestOnlyVerifiedContactsIdentify(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		in := Registration{Email: "ida@example.com", Phone: "123", LoyaltyCard: "C-1", Unverified: true}
		id := s.register(in).ID
		identified := func(email, phone string) string {
			t.Helper()
			found := ""
			for _, mode := range []struct {
				method string
				needed bool
			}{{store.ByMail, true}, {store.BySMS, true}, {store.ByMail, false}} {
				s.Store.Settings.CommunicationMethod = mode.method
				s.Store.Settings.AccountActivationNeeded = mode.needed
				for _, by := range []struct{ field, value string }{
					{store.ByEmail, email}, {store.ByPhone, phone}, {store.ByLoyaltyCard, "c-1"},
				} {
					s.Write(func(tx *db.Tx) error {
						who, is, err := Identify(tx, s.Store, by.field, by.value)
						if is {
							found += by.field[:1]
						}
						if err == nil && is != (who != nil && who.IsActive() && who.IsIdentifiedBy(s.Store, by.field, by.value)) {
							t.Errorf("Identify and IsIdentifiedBy differ by %s %s", by.field, by.value)
						}
						return err
					})
				}
				found += " "
			}
			return found
		}
		change := func(bySelf bool, email, phone string) {
			t.Helper()
			if err := s.update(id, Registration{Email: email, Phone: phone, Unverified: bySelf}, "email", "phone"); err != nil {
				t.Fatal(err)
			}
		}
		expect := func(name, email, phone, want string) {
			t.Helper()
			if got := identified(email, phone); got != want {
				t.Errorf("%s: identified by %q, want %q", name, got, want)
			}
		}
		const everywhere = "epl epl epl "
		expect("not active yet", "ida@example.com", "123", "   ")
		s.Write(func(tx *db.Tx) error { return Activate(tx, s.Store, id) })
		expect("activated", "IDA@example.com", " 123", everywhere)
		change(true, "Ida@Example.com", "123")
		expect("sent again by the customer", "ida@example.com", "123", everywhere)
		change(true, "ole@example.com", "456")
		expect("changed by the customer", "ole@example.com", "456", "pl el epl ")
		expect("what it was before", "ida@example.com", "123", "l l l ")
		s.Write(func(tx *db.Tx) error { return Deactivate(tx, s.Store, id) })
		s.Write(func(tx *db.Tx) error { return Activate(tx, s.Store, id) })
		expect("blocked for a while", "ole@example.com", "456", "pl el epl ")
		s.Store.Settings.CommunicationMethod, s.Store.Settings.AccountActivationNeeded = store.ByMail, true
		if got := fmt.Sprint(s.find(id).Unverified(s.Store)); got != "[email]" {
			t.Errorf("unverified: %s", got)
		}
		change(false, "ole@example.com", "456")
		expect("confirmed by the store", "ole@example.com", "456", everywhere)
		change(false, "eva@example.com", "789")
		expect("changed by the store", "eva@example.com", "789", everywhere)
		if got := s.find(id).Unverified(s.Store); got != nil {
			t.Errorf("unverified: %s", got)
		}
	})
}
