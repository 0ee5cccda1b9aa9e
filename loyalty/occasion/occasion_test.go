package occasion_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type shop struct {
	*shoptest.Shop
	clock *dbtest.Clock
	born  map[string]string // name by customer id
}

// at sets the clock to a time in UTC. Warsaw is one or two hours ahead.
func (s *shop) at(moment string) {
	s.Helper()
	t, err := time.Parse("2006-01-02 15:04", moment)
	if err != nil {
		s.Fatal(err)
	}
	s.clock.Set(t)
}

// each runs a test in a store in Warsaw whose template of an event for e-mails is switched on.
func each(t *testing.T, event string, run func(s *shop)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		c := &dbtest.Clock{}
		c.Set(time.Date(2031, 4, 1, 0, 0, 0, 0, time.UTC))
		d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
		s := &shop{shoptest.Open(t, d, "SHOP", shoptest.InWarsaw, shoptest.Level("Base", 0)), c, map[string]string{}}
		s.Write(func(tx *db.Tx) error {
			return template.Create(tx, s.Store, template.Template{
				Key:  template.Key{Event: event, Channel: template.Email, Language: "en"},
				Text: template.Text{Subject: "Hello", Content: "Hello {{ first_name }}"}, Enabled: true,
			})
		})
		run(s)
	})
}

// register adds an active customer who was born on a day, and agreed to marketing.
func (s *shop) register(name, born string, edit func(in *customer.Registration)) string {
	s.Helper()
	in := customer.Registration{
		FirstName: name, LastName: "Test", Email: strings.ToLower(name) + "@example.com", BirthDate: born, Active: true,
		Agreements: [3]bool{true, true, false},
	}
	if edit != nil {
		edit(&in)
	}
	var id string
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Register(tx, s.Store, in)
		if err == nil {
			id = c.ID
		}
		return err
	})
	s.born[id] = name
	return id
}

// sends runs the job and expects how many customers get a message.
func (s *shop) sends(want int64) {
	s.Helper()
	got, err := occasion.Send(s.Context(), s.DB, s.Store)
	if err != nil || got != want {
		s.Errorf("%s: %d customers got a message, want %d (%v)", s.clock.Now(), got, want, err)
	}
}

// messages returns the number of messages by the name of the customer.
func (s *shop) messages() map[string]int {
	s.Helper()
	found := map[string]int{}
	s.Read(func(tx *db.Tx) error {
		for id, name := range s.born {
			all, err := message.Of(tx, s.Store.Key, id, "", 100)
			if err != nil {
				return err
			}
			for _, d := range all {
				if strings.Contains(d.Address, "@") {
					found[name]++
				}
			}
		}
		return nil
	})
	return found
}

func (s *shop) expect(want map[string]int) {
	s.Helper()
	if diff := cmp.Diff(want, s.messages()); diff != "" {
		s.Errorf("messages at %s (-want +got):\n%s", s.clock.Now(), diff)
	}
}

func TestBirthdays(t *testing.T) {
	each(t, template.Birthday, func(s *shop) {
		ida := s.register("Ida", "1990-04-17", nil)
		s.register("Ola", "1985-04-18", nil)
		s.register("Shy", "1980-04-17", func(in *customer.Registration) { in.Agreements[1] = false })
		s.register("New", "1980-04-17", func(in *customer.Registration) { in.Active = false })
		s.register("Leap", "1992-02-29", nil)
		s.register("Unknown", "", nil)
		s.at("2031-04-17 06:59") // 08:59 in Warsaw
		s.sends(0)
		s.at("2031-04-17 07:00")
		s.sends(1)
		s.sends(0)
		s.at("2031-04-18 20:00")
		s.sends(1)
		s.expect(map[string]int{"Ida": 1, "Ola": 1})

		// Another date of birth brings no second message in the same year.
		s.Write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.Store, ida)
			if err != nil {
				return err
			}
			return customer.Update(tx, s.Store, c, customer.Change{
				Registration: customer.Registration{BirthDate: "1990-04-20"}, Sent: map[string]bool{"birthDate": true},
			})
		})
		s.at("2031-04-20 08:00")
		s.sends(0)

		// 29 February is 28 February in a year without one. Birthdays of missed days are over.
		s.at("2032-02-29 12:00")
		s.sends(1)
		s.at("2033-02-28 12:00")
		s.sends(1)
		s.at("2033-03-01 12:00")
		s.sends(0)
		s.expect(map[string]int{"Ida": 1, "Ola": 1, "Leap": 2})

		s.Configure(func(settings *store.Settings) {
			settings.BirthdayMessageDays, settings.OccasionMessagesAt = 3, "18:30"
		})
		s.at("2033-04-15 16:29")
		s.sends(0)
		s.at("2033-04-15 16:30")
		s.sends(1)
		s.expect(map[string]int{"Ida": 1, "Ola": 2, "Leap": 2})
	})
}

// Customers who deleted their account get no message on occasions until they come back.
func TestLeavingCustomersHaveNoOccasions(t *testing.T) {
	each(t, template.Birthday, func(s *shop) {
		ida := s.register("Ida", "1990-04-17", nil)
		s.register("Ola", "1990-04-17", nil)
		s.Write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.Store, ida)
			if err != nil {
				return err
			}
			return erasure.Plan(tx, c.StoreKey, c.ID, tx.Now().Add(14*24*time.Hour))
		})
		s.at("2031-04-17 08:00")
		s.sends(1)
		s.expect(map[string]int{"Ola": 1})
		s.Write(func(tx *db.Tx) error { return erasure.Cancel(tx, s.Store.Key, ida) })
		s.at("2032-04-17 08:00")
		s.sends(2)
	})
}

// TestManyBirthdays shows that each customer gets one message, across steps that are interrupted.
func TestManyBirthdays(t *testing.T) {
	each(t, template.Birthday, func(s *shop) {
		want := map[string]int{}
		for n := range 120 {
			name := "C" + strconv.Itoa(n)
			s.register(name, "1990-04-17", nil)
			want[name] = 1
		}
		s.at("2031-04-17 10:00")
		ctx, stop := context.WithCancel(s.Context())
		stop()
		if n, err := occasion.Send(ctx, s.DB, s.Store); n != 0 {
			s.Errorf("a job that was stopped sent %d messages (%v)", n, err)
		}
		s.sends(120)
		s.sends(0)
		s.expect(want)
	})
}

// buys registers a sale of now to a customer.
func (s *shop) buys(name, number string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		_, err := transaction.Register(tx, s.Store, transaction.Transaction{
			DocumentNumber: number, Type: transaction.Sell, PurchasedAt: tx.Now(),
			Items: []transaction.Item{{
				SKU: transaction.SKU{Code: "TEA"}, Name: "Tea", Quantity: 1_000, GrossValue: decimal.Whole(5).Money(),
				Category: "drinks",
			}},
			CustomerData: transaction.CustomerData{Name: name, Email: strings.ToLower(name) + "@example.com"},
		}, transaction.Hooks{})
		return err
	})
}

func TestWinBack(t *testing.T) {
	each(t, template.WinBack, func(s *shop) {
		for _, name := range []string{"Ida", "Ola", "Eva"} {
			s.register(name, "", nil)
		}
		s.at("2031-04-01 22:30") // on 2 April in Warsaw
		s.buys("Ida", "S-1")
		s.buys("Ola", "S-2")
		s.at("2031-04-05 10:00")
		s.buys("Ola", "S-3")
		s.sends(0) // there is no number of days
		s.Configure(func(settings *store.Settings) { settings.WinBackDays = 30 })
		s.at("2031-05-01 10:00")
		s.sends(0)
		s.at("2031-05-02 10:00")
		s.sends(1)
		s.expect(map[string]int{"Ida": 1})

		// Days that were missed are made up for.
		s.at("2031-05-09 10:00")
		s.sends(1)
		s.expect(map[string]int{"Ida": 1, "Ola": 1})

		// Somebody who came back and left again gets another message.
		s.buys("Ida", "S-4")
		s.at("2031-06-08 10:00")
		s.sends(1)
		s.sends(0)
		s.expect(map[string]int{"Ida": 2, "Ola": 1})
	})
}

func TestNothingIsSentWithoutATemplate(t *testing.T) {
	each(t, template.WinBack, func(s *shop) { // birthdays are off
		s.register("Ida", "1990-04-17", nil)
		s.at("2031-04-17 10:00")
		s.sends(0)
		s.expect(map[string]int{})
	})
}

// In Santiago, 5 September 2027 begins at 01:00.
func TestOccasionsAroundADayWithoutMidnight(t *testing.T) {
	inSantiago := func(s *shop) {
		zone, err := time.LoadLocation("America/Santiago")
		if err != nil {
			s.Fatal(err)
		}
		s.Store.Zone, s.Store.Settings.Timezone = zone, zone.String()
	}
	each(t, template.Birthday, func(s *shop) {
		inSantiago(s)
		s.at("2027-08-01 15:00")
		s.register("Fourth", "1990-09-04", nil)
		s.register("Fifth", "1990-09-05", nil)
		s.register("Sixth", "1990-09-06", nil)
		for _, day := range []string{"04", "05", "06"} {
			s.at("2027-09-" + day + " 15:00")
			s.sends(1)
			s.sends(0)
		}
		s.expect(map[string]int{"Fourth": 1, "Fifth": 1, "Sixth": 1})
	})
	each(t, template.WinBack, func(s *shop) {
		inSantiago(s)
		s.Store.Settings.WinBackDays = 30
		for _, sale := range []struct{ name, at string }{
			{"Fourth", "2027-09-05 03:59"}, {"Fifth", "2027-09-05 04:00"}, {"Sixth", "2027-09-06 03:00"},
		} {
			s.at(sale.at)
			s.register(sale.name, "", nil)
			s.buys(sale.name, sale.name)
		}
		for i, day := range []string{"04", "05", "06"} {
			s.at("2027-10-" + day + " 15:00")
			s.sends(1)
			s.sends(0)
			if got := len(s.messages()); got != i+1 {
				s.Errorf("%d customers got a message by 10-%s", got, day)
			}
		}
	})
}
