package customer

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

func TestEventsOfARegistration(t *testing.T) {
	always := []string{
		"User.Event.CustomerWasRegistered", "User.Event.CustomerWasAssignedToStore", "Account.Event.AccountWasCreated",
		"Account.Event.AccountWasAssignedToStore", "User.Event.AssignedAccountToCustomer",
	}
	const moved, activated = "User.Event.CustomerWasMovedToLevel", "User.Event.CustomerWasActivated"
	const address, company = "User.Event.CustomerAddressWasUpdated", "User.Event.CustomerCompanyDetailsWereUpdated"
	const card = "User.Event.CustomerLoyaltyCardNumberWasUpdated"
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		next := int64(1)
		for _, c := range []struct {
			name string
			in   Registration
			want []string
		}{
			{"not active", Registration{}, []string{moved}},
			{"active", Registration{Active: true}, []string{moved, activated}},
			{"address", Registration{Active: true, Address: Address{City: "Lyon"}}, []string{address, moved, activated}},
			{"company", Registration{Company: Company{"Acme", "1"}}, []string{company, moved}},
			{"card", Registration{LoyaltyCard: "7"}, []string{card, moved}},
			{"everything", Registration{Active: true, LoyaltyCard: "8", Address: Address{Street: "Rue"},
				Company: Company{"Acme", "1"}, Labels: []Label{{"a", "b"}}, LevelID: s.gold},
				[]string{address, company, card, moved, activated}},
		} {
			s.register(c.in)
			got := s.events(next)
			if diff := cmp.Diff(append(always[:5:5], c.want...), got); diff != "" {
				t.Errorf("%s: %s", c.name, diff)
			}
			next += int64(len(got))
		}
	})
}

func TestPayloadsOfARegistration(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		in := ida()
		in.LevelID, in.Company = s.gold, Company{"Acme", "1"}
		c := s.register(in)
		all, _, err := event.List(t.Context(), d, 1, 100, false)
		if err != nil {
			t.Fatal(err)
		}
		var account string
		s.Write(func(tx *db.Tx) error {
			accounts, err := points.AccountIDs(tx, s.Store.Key, c.ID)
			account = accounts[c.ID]
			return err
		})
		const at = `2031-07-03T12:15:00+02:00`
		who := `"customerId":{"customerId":"` + c.ID + `"}`
		its := `"accountId":{"accountId":"` + account + `"}`
		where := `"storeId":{"storeId":"` + s.Store.ID + `"}`
		for i, want := range []struct{ aggregate, payload string }{
			{c.ID, `{` + who + `,"customerData":{"firstName":"Ida","lastName":"Berg","gender":"not_disclosed",` +
				`"email":"ida@example.com","phone":"+48 123","createdAt":"` + at + `","loyaltyCardNumber":"Card-7",` +
				`"company":{"name":"Acme","nip":"1"},"agreement1":true,"agreement2":false,"agreement3":true,` +
				`"status":{"type":"active"}},"updateAt":"` + at + `"}`},
			{c.ID, `{` + who + `,` + where + `}`},
			{account, `{` + its + `,` + who + `}`},
			{account, `{` + its + `,` + where + `}`},
			{c.ID, `{` + who + `,` + its + `}`},
			{c.ID, `{` + who + `,"companyData":{"name":"Acme","nip":"1"},"updateAt":"` + at + `"}`},
			{c.ID, `{` + who + `,"cardNumber":"Card-7","updateAt":"` + at + `"}`},
			{c.ID, `{` + who + `,"levelId":{"levelId":"` + s.gold + `"},"updateAt":"` + at +
				`","manually":true,"removeLevelManually":false}`},
			{c.ID, `{` + who + `,"activatedAt":"` + at + `"}`},
		} {
			if all[i].AggregateID != want.aggregate || string(all[i].Payload) != want.payload {
				t.Errorf("%s about %s: %s, want %s", all[i].Type, all[i].AggregateID, all[i].Payload, want.payload)
			}
		}
	})
}

func TestRegisteredCustomerReadsBack(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		in := ida()
		in.Gender, in.BirthDate, in.CreatedAt = "female", "1990-02-03", now.AddDate(-1, 0, 0)
		in.Address, in.Company, in.Labels = Address{City: "Lyon"}, Company{"Acme", "1"}, []Label{{"a", "b"}}
		in.PasswordHash, in.PasswordTemporary = "hash", true
		made, plain := s.register(in), s.register(Registration{LevelID: s.gold})
		want := &Customer{
			StoreKey: s.Store.Key, ID: made.ID, Status: Active, Email: "ida@example.com", Phone: "+48 123",
			PhoneKey: "48123", EmailVerified: true, PhoneVerified: true,
			LoyaltyCard: "Card-7", FirstName: "Ida", LastName: "Berg", Gender: "female", BirthDate: "1990-02-03",
			Agreements: [3]bool{true, false, true}, LevelID: s.bronze, LevelAchievedAt: in.CreatedAt,
			PasswordHash: "hash", PasswordTemporary: true, CreatedAt: in.CreatedAt, UpdatedAt: now, Version: 1,
			Address: in.Address, Company: in.Company, Labels: in.Labels,
		}
		manual := &Customer{
			StoreKey: s.Store.Key, ID: plain.ID, Status: New, Gender: "not_disclosed", LevelID: s.gold,
			EmailVerified: true, PhoneVerified: true,
			ManualLevelID: s.gold, LevelAchievedAt: now, CreatedAt: now, UpdatedAt: now, Version: 1,
		}
		s.Write(func(tx *db.Tx) error {
			found, err := FindAll(tx, s.Store.Key, made.ID, plain.ID, s.gold)
			if diff := cmp.Diff(map[string]*Customer{made.ID: want, plain.ID: manual}, found); diff != "" {
				t.Error(diff)
			}
			if err != nil {
				return err
			}
			account, err := points.Balance(tx, s.Store, made.ID)
			if account.ID == "" || account.Points != 0 {
				t.Errorf("the account is %+v", account)
			}
			return err
		})
		if got := s.members(); got != [3]int64{1, 1, 0} {
			t.Errorf("the levels have %v", got)
		}
	})
}

func TestTakenFields(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		s.register(ida())
		s.register(Registration{Email: "ole@example.com", Phone: "999", LoyaltyCard: "ole"})
		before := len(s.events(1))
		for _, c := range []struct {
			name string
			in   Registration
			want Taken
		}{
			{"e-mail", Registration{Email: "ida@example.com"}, Taken{Email: true}},
			{"e-mail in capitals", Registration{Email: "IDA@EXAMPLE.COM"}, Taken{Email: true}},
			{"phone", Registration{Phone: "+48 123"}, Taken{Phone: true}},
			{"phone between spaces", Registration{Phone: "  +48 123 "}, Taken{Phone: true}},
			{"card", Registration{LoyaltyCard: "Card-7"}, Taken{LoyaltyCard: true}},
			{"card in another case, between spaces", Registration{LoyaltyCard: " CARD-7\t"}, Taken{LoyaltyCard: true}},
			{"all three", ida(), Taken{Email: true, Phone: true, LoyaltyCard: true}},
			{"of two customers", Registration{Email: "ida@example.com", Phone: "999"}, Taken{Email: true, Phone: true}},
			{"unknown level", Registration{LevelID: db.NewID()}, Taken{LevelUnknown: true}},
			{"level that is switched off", Registration{LevelID: s.secret}, Taken{LevelUnknown: true}},
			{"level of another store", Registration{LevelID: elsewhere.bronze}, Taken{LevelUnknown: true}},
			{"e-mail and level", Registration{Email: "ida@example.com", LevelID: s.secret},
				Taken{Email: true, LevelUnknown: true}},
		} {
			_, err := s.try(c.in)
			var taken *Taken
			if !errors.As(err, &taken) || *taken != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, err, c.want)
			}
		}
		if after := len(s.events(1)); after != before || s.members() != [3]int64{2, 0, 0} {
			t.Errorf("refused registrations left %d events and %v members", after-before, s.members())
		}
		for _, in := range []Registration{{}, {}, {Email: "card-7", Phone: "card-7", LoyaltyCard: "+48 123"}} {
			s.register(in) // blanks are not compared, nor fields of different kinds
		}
		if c := elsewhere.register(ida()); c.Email != "ida@example.com" {
			t.Errorf("in the other store: %+v", c)
		}
	})
}

func TestNobodyRegistersWithoutAStartLevel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE levels SET active = FALSE WHERE level_id = $1`, s.bronze)
			return err
		})
		_, err := s.try(ida())
		var taken *Taken
		if !errors.As(err, &taken) || *taken != (Taken{NoStartLevel: true}) {
			t.Errorf("got %+v", err)
		}
		in := ida()
		in.LevelID = s.gold
		s.register(in)
	})
}

// Of concurrent registrations with the same data exactly one succeeds; the others get field errors.
func TestParallelRegistrations(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		for round, c := range []struct {
			in   func(round, i int) Registration
			want Taken
		}{
			{func(round, i int) Registration {
				return Registration{Email: fmt.Sprintf([]string{"x%d@a.b", "X%d@A.B"}[i%2], round)}
			}, Taken{Email: true}},
			{func(_, i int) Registration { return Registration{Phone: strings.Repeat(" ", i) + "555"} }, Taken{Phone: true}},
			{func(_, i int) Registration { return Registration{LoyaltyCard: []string{"CC", "cc"}[i%2]} },
				Taken{LoyaltyCard: true}},
			{func(int, int) Registration { return ida() }, Taken{Email: true, Phone: true, LoyaltyCard: true}},
		} {
			errs := make([]error, 12)
			start := make(chan struct{})
			var all sync.WaitGroup
			for i := range errs {
				all.Go(func() {
					<-start
					_, errs[i] = s.try(c.in(round, i))
				})
			}
			close(start)
			all.Wait()
			won := 0
			for _, err := range errs {
				var taken *Taken
				switch {
				case err == nil:
					won++
				case !errors.As(err, &taken) || *taken != c.want:
					t.Errorf("round %d: %+v, want %+v", round, err, c.want)
				}
			}
			if won != 1 || s.members() != [3]int64{int64(round) + 1, 0, 0} {
				t.Errorf("round %d: %d won, the levels have %v", round, won, s.members())
			}
		}
	})
}

// Both look-ups see nothing before either commits: the unique index decides, and the loser still gets field errors.
func TestTheSecondOfTwoOverlappingRegistrationsIsRefused(t *testing.T) {
	dbtest.Both(t)
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now) // only PostgreSQL overlaps writes
	s := newShop(t, d, "SHOP")
	inserted, waiting := make(chan error, 1), make(chan struct{})
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		first <- d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := Register(tx, s.Store, ida())
			inserted <- err
			<-waiting
			return err
		})
	}()
	if err := <-inserted; err != nil {
		t.Error(err)
	}
	go func() {
		_, err := s.try(ida())
		second <- err
	}()
	if err := shoptest.UntilBlocked(t.Context(), d); err != nil {
		t.Errorf("the second registration does not wait for the first: %v", err)
	}
	close(waiting)
	if err := <-first; err != nil {
		t.Error(err)
	}
	err := <-second
	var taken *Taken
	if !errors.As(err, &taken) || *taken != (Taken{Email: true, Phone: true, LoyaltyCard: true}) {
		t.Errorf("the second registration: %+v", err)
	}
}

func TestActivationIsToldOnce(t *testing.T) {
	const activated, deactivated = "User.Event.CustomerWasActivated", "User.Event.CustomerWasDeactivated"
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		in := ida()
		in.Active = false
		id := s.register(in).ID
		next := int64(len(s.events(1)) + 1)
		version := int64(1)
		for i, step := range []struct {
			change func(tx *db.Tx, s *store.Store, id string) error
			status string
			want   []string
		}{
			{Activate, Active, []string{activated}}, {Activate, Active, nil},
			{Deactivate, Blocked, []string{deactivated}}, {Deactivate, Blocked, nil}, {Deactivate, Blocked, nil},
			{Activate, Active, []string{activated}},
		} {
			s.Write(func(tx *db.Tx) error { return step.change(tx, s.Store, id) })
			got := s.events(next)
			next, version = next+int64(len(got)), version+int64(len(got))
			if diff := cmp.Diff(step.want, got); diff != "" {
				t.Errorf("step %d: %s", i, diff)
			}
			s.Write(func(tx *db.Tx) error {
				c, err := Find(tx, s.Store.Key, id)
				if err == nil && (c.Status != step.status || c.Version != version) {
					t.Errorf("step %d: %+v", i, c)
				}
				return err
			})
		}
		for _, change := range []func(tx *db.Tx, s *store.Store, id string) error{Activate, Deactivate} {
			for _, c := range []struct {
				store *store.Store
				id    string
			}{{elsewhere.Store, id}, {s.Store, db.NewID()}} {
				err := d.Write(t.Context(), func(tx *db.Tx) error { return change(tx, c.store, c.id) })
				if !errors.Is(err, fault.ErrNotFound) {
					t.Errorf("an unknown customer: %v", err)
				}
			}
		}
		if got := s.events(next); got != nil {
			t.Errorf("an unknown customer left %v", got)
		}
	})
}

func TestDeletedCustomersStayDeleted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.register(ida()).ID
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE customers SET status = 'deleted' WHERE customer_id = $1`, id)
			return err
		})
		before := len(s.events(1))
		for name, use := range map[string]func(tx *db.Tx) error{
			"activate":     func(tx *db.Tx) error { return Activate(tx, s.Store, id) },
			"deactivate":   func(tx *db.Tx) error { return Deactivate(tx, s.Store, id) },
			"find":         func(tx *db.Tx) error { _, err := Find(tx, s.Store.Key, id); return err },
			"find by card": func(tx *db.Tx) error { _, err := FindByPath(tx, s.Store.Key, "card-7", false); return err },
		} {
			if err := d.Write(t.Context(), use); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if after := len(s.events(1)); after != before {
			t.Errorf("%d events were added", after-before)
		}
	})
}
