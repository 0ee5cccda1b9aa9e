package earning

import (
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/occasion"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Active customers get the points of the best rule on their birthday, with or without an agreement to marketing, once a
// year; a new date of birth brings none, and days on which the server did not run are made up for.
func TestBirthdaysPayOnceAYear(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
		s := newShop(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now))
		born := func(date string) string {
			return s.customer(func(in *customer.Registration) { in.BirthDate = date })
		}
		may, june := born("1990-05-01"), born("1985-06-03")
		send := func(days int) {
			t.Helper()
			clock.Advance(time.Duration(days) * 24 * time.Hour)
			feature.Connect(s.db, New(s.desk).Feature().On...)
			if _, err := occasion.Send(t.Context(), s.db, s.store); err != nil {
				t.Fatal(err)
			}
		}
		expect := func(who, want string) {
			t.Helper()
			if got := s.lots(who); got != want {
				t.Errorf("on %v: %q, want %q", clock.Now(), got, want)
			}
		}
		send(0) // no rule
		expect(may, "")
		s.rule(Event, 5, named(hadBirthday), func(r *Rule) { r.Name = "small" })
		s.rule(Event, 20, named(hadBirthday), func(r *Rule) { r.Name = "cake" })
		send(0)
		send(0)
		expect(may, "20 cake")
		expect(june, "")
		s.write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.store, may)
			if err == nil {
				err = customer.Update(tx, s.store, c, customer.Change{
					Registration: customer.Registration{BirthDate: "1990-05-02"}, Sent: map[string]bool{"birthDate": true},
				})
			}
			return err
		})
		send(1)
		expect(may, "20 cake")
		send(30) // 1 June
		send(4)  // the server was stopped on the 3rd
		expect(june, "20 cake")
		send(0)
		expect(june, "20 cake")
	})
}
