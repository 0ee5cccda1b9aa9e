package transaction

import (
	"errors"
	"testing"

	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

// newcomer registers an active customer with an unverified e-mail address and phone.
func (s *shop) newcomer(email, phone, card string) *customer.Customer {
	s.Helper()
	var c *customer.Customer
	s.Write(func(tx *db.Tx) (err error) {
		c, err = customer.Register(tx, s.Store, customer.Registration{
			Email: email, Phone: phone, LoyaltyCard: card, Active: true, Unverified: true,
		})
		return err
	})
	return c
}

func (s *shop) claim(number string, who *customer.Customer) error {
	return s.DB.Write(s.Context(), func(tx *db.Tx) error {
		_, err := Claim(tx, s.Store, number, who, earnsItsValue)
		return err
	})
}

// TestUnverifiedContactsMatchNothing gives a customer the e-mail address of somebody else.
func TestUnverifiedContactsMatchNothing(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.newcomer("ole@example.com", "123", "NO-1")
		owner := func(name string, draft Transaction, want string) {
			t.Helper()
			if made := s.register(draft); made.CustomerID != want {
				t.Errorf("%s: belongs to %q, want %q", name, made.CustomerID, want)
			}
		}
		by := func(number string, data CustomerData) Transaction {
			draft := document(number, "", 10)
			draft.CustomerData = data
			return draft
		}
		owner("by the address", document("S-1", "ole@example.com", 10), "")
		owner("by the phone, which the store does not verify", by("S-2", CustomerData{Phone: "123"}), who.ID)
		owner("by the card", by("S-3", CustomerData{Email: "ole@example.com", LoyaltyCard: "no-1"}), who.ID)
		owner("somebody else's goods come back", back("R-1", "ole@example.com", 10, "S-1"), "")
		owner("own goods come back by the address", back("R-2", "ole@example.com", 10, "S-3"), who.ID)
		owner("and by another one, which is nobody's", back("R-3", "eva@example.com", 10, "S-2"), who.ID)
		s.Store.Settings.AccountActivationNeeded = false
		owner("by the address, where the store verifies none", document("S-4", "ole@example.com", 10), who.ID)
	})
}

// TestClaims lets a customer claim receipts without a customer.
func TestClaims(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		receipts := map[string]CustomerData{
			"mail": {Email: "ida@example.com"}, "phone": {Phone: " +4790000001"}, "card": {LoyaltyCard: "no-1"},
			"none": {Name: "Ida Berg"}, "other": {Email: "ole@example.com", Phone: "+4790000002"},
		}
		for number, data := range receipts {
			draft := document(number, "", 10)
			draft.CustomerData = data
			s.register(draft)
		}
		ida := s.customer("ida@example.com", "+4790000001", "NO-1")
		s.register(document("taken", "ida@example.com", 10))
		eva := s.newcomer("ole@example.com", "+4790000002", "")
		claim := func(name, number string, who *customer.Customer, want *fault.Error) {
			t.Helper()
			err := s.claim(number, who)
			refused, is := errors.AsType[*Refused](err)
			if want == nil && err != nil || want != nil && (!is || refused.Document != want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
		claim("unknown", "nothing", ida, errNoTransaction)
		claim("with nothing of the customer", "none", ida, errNoTransaction)
		claim("of somebody else", "other", ida, errNoTransaction)
		claim("by an address that is not verified, but a phone the store takes as it is", "other", eva, nil)
		claim("by the address", "mail", ida, nil)
		claim("by the phone", "phone", ida, nil)
		claim("by the card", "card", ida, nil)
		claim("again", "card", ida, errAlreadyAssigned)
		claim("of a known customer", "taken", eva, errAlreadyAssigned)
		s.register(document("later", "eva@example.com", 10))
		claim("of another customer", "later", eva, errNoTransaction)
		s.Store.Settings.CustomersMayClaimReceipts = true
		claim("where any may be claimed", "none", ida, nil)
		claim("where any may be claimed, later", "later", eva, nil)
		if got := s.standing(ida.ID); got.Count != 5 || got.Points != whole(50) {
			t.Errorf("standing %+v", got)
		}
	})
}
