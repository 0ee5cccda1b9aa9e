package customerapi

import (
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Two customers take the same address at the same moment: the one that waits gets a field error.
func TestTheSecondOfTwoOverlappingChangesIsRefused(t *testing.T) {
	dbtest.Both(t)
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now) // only PostgreSQL overlaps writes
	s := newShop(t, d, "SHOP")
	base := s.serve()
	s.Register(customer.Registration{Email: "ida@example.com", Active: true})
	second := s.Register(customer.Registration{Email: "ole@example.com", Active: true}).ID
	changed, waiting, first := make(chan error, 1), make(chan struct{}), make(chan error, 1)
	go func() {
		first <- d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := customer.Register(tx, s.Store, customer.Registration{Email: "new@example.com"})
			changed <- err
			<-waiting
			return err
		})
	}()
	if err := <-changed; err != nil {
		t.Error(err)
	}
	answer := make(chan string, 1)
	go func() {
		status, body := s.ask(base, "PUT", "/api/SHOP/customer/"+second, `{"customer":{"email":"new@example.com"}}`)
		answer <- status + " " + body
	}()
	if err := shoptest.UntilBlocked(t.Context(), d); err != nil {
		t.Errorf("the change does not wait for the registration: %v", err)
	}
	close(waiting)
	if err := <-first; err != nil {
		t.Error(err)
	}
	got := <-answer
	if !strings.HasPrefix(got, "400 ") || !strings.Contains(got, "Customer with such email already exists.") {
		t.Errorf("the change is answered with %s", got)
	}
	if c := s.Find(second); c.Email != "ole@example.com" {
		t.Errorf("the customer now has %s", c.Email)
	}
}
