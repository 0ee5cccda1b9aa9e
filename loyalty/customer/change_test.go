package customer

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// update replaces parts of a customer.
func (s *shop) update(id string, in Registration, sent ...string) error {
	change := Change{in, map[string]bool{}}
	for _, name := range sent {
		change.Sent[name] = true
	}
	return s.lockedDo(id, func(tx *db.Tx, c *Customer, _ points.Account) error {
		return Update(tx, s.Store, c, change)
	})
}

func TestUpdateReplacesWhatIsSent(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		in := ida()
		in.Address, in.Company, in.Labels = Address{City: "Lyon"}, Company{"Acme", "1"}, []Label{{"a", "b"}}
		id := s.register(in).ID
		want := *s.find(id)
		everything := Registration{
			Email: "New@Example.com", Phone: "777", LoyaltyCard: "N", FirstName: "Nina", LastName: "Moe", Gender: "female",
			BirthDate: "1990-02-03", Agreements: [3]bool{true, true, false}, Address: Address{Street: "Rue"},
			Company: Company{"Firm", "2"}, Labels: []Label{{"c", "d"}}, CreatedAt: now.AddDate(-1, 0, 0),
		}
		for _, c := range []struct {
			name   string
			in     Registration
			sent   string
			change func(c *Customer)
			events string
		}{
			{"nothing", everything, "", func(*Customer) {}, ""},
			{"names", everything, "firstName lastName", func(c *Customer) { c.FirstName, c.LastName = "Nina", "Moe" }, ""},
			{"contact", everything, "email phone",
				func(c *Customer) { c.Email, c.Phone, c.PhoneKey = "new@example.com", "777", "777" }, ""},
			{"the rest", everything, "gender birthDate agreement1 agreement2 agreement3 labels createdAt",
				func(c *Customer) {
					c.Gender, c.BirthDate, c.Agreements = "female", "1990-02-03", [3]bool{true, true, false}
					c.Labels, c.CreatedAt = []Label{{"c", "d"}}, now.AddDate(-1, 0, 0)
				}, ""},
			{"parts with events of their own", everything, "address company loyaltyCardNumber",
				func(c *Customer) {
					c.Address, c.Company, c.LoyaltyCard = Address{Street: "Rue"}, Company{"Firm", "2"}, "N"
				},
				" CustomerAddressWasUpdated CustomerCompanyDetailsWereUpdated CustomerLoyaltyCardNumberWasUpdated"},
			{"cleared", Registration{},
				"phone gender birthDate address company loyaltyCardNumber labels createdAt posId sellerId", func(c *Customer) {
					c.Phone, c.Gender, c.BirthDate, c.Address, c.Company = "", "not_disclosed", "", Address{}, Company{}
					c.PhoneKey, c.LoyaltyCard, c.Labels = "", "", nil
				}, " CustomerAddressWasUpdated CustomerCompanyDetailsWereUpdated CustomerLoyaltyCardNumberWasUpdated"},
			{"level", Registration{LevelID: s.gold}, "levelId", func(c *Customer) {
				c.LevelID, c.ManualLevelID, c.LevelAchievedAt = s.gold, s.gold, now
				c.Version++
			}, " CustomerWasMovedToLevel"},
		} {
			next := int64(len(s.events(1)) + 1)
			if err := s.update(id, c.in, strings.Fields(c.sent)...); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			c.change(&want)
			want.Version++
			if diff := cmp.Diff(&want, s.find(id)); diff != "" {
				t.Errorf("%s: %s", c.name, diff)
			}
			types := strings.ReplaceAll(strings.Join(s.events(next), " "), "User.Event.", "")
			if types != "CustomerDetailsWereUpdated"+c.events {
				t.Errorf("%s: %s", c.name, types)
			}
		}
		if got := s.searched("nina", 10, 0) + s.searched("ida", 10, 0); got != "Nina 10" {
			t.Errorf("the search finds %s", got)
		}
		if got := s.members(); got != [3]int64{0, 1, 0} {
			t.Errorf("the levels have %v", got)
		}
	})
}

func TestPayloadOfAChange(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.register(ida()).ID
		next := int64(len(s.events(1)) + 1)
		in := Registration{FirstName: "Ida", LastName: "Moe", Labels: []Label{}, Agreements: [3]bool{true, true}}
		err := s.update(id, in, "firstName", "lastName", "phone", "labels", "agreement2", "agreement3")
		if err != nil {
			t.Fatal(err)
		}
		e, _, err := event.Find(t.Context(), d, next)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"customerId":{"customerId":"` + id + `"},"customerData":{"lastName":"Moe","phone":"","agreement2":true,` +
			`"agreement3":false},"updateAt":"2031-07-03T12:15:00+02:00"}`
		if string(e.Payload) != want {
			t.Errorf("%s, want %s", e.Payload, want)
		}
	})
}

func TestUpdateRefusesWhatIsTaken(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		s.register(ida())
		elsewhere.register(Registration{Email: "else@example.com"})
		id := s.register(Registration{Email: "ole@example.com", Phone: "999", LoyaltyCard: "ole"}).ID
		before, events := *s.find(id), len(s.events(1))
		for _, c := range []struct {
			in   Registration
			sent string
			want Taken
		}{
			{Registration{Email: "IDA@example.com"}, "email", Taken{Email: true}},
			{Registration{Phone: " +48 123"}, "phone", Taken{Phone: true}},
			{Registration{LoyaltyCard: "CARD-7"}, "loyaltyCardNumber", Taken{LoyaltyCard: true}},
			{ida(), "email phone loyaltyCardNumber", Taken{Email: true, Phone: true, LoyaltyCard: true}},
			{Registration{LevelID: s.secret}, "levelId", Taken{LevelUnknown: true}},
			{Registration{LevelID: elsewhere.gold}, "levelId", Taken{LevelUnknown: true}},
			{Registration{POSID: db.NewID()}, "posId", Taken{POSUnknown: true}},
			{Registration{SellerID: db.NewID()}, "sellerId", Taken{SellerUnknown: true}},
		} {
			err := s.update(id, c.in, strings.Fields(c.sent)...)
			var taken *Taken
			if !errors.As(err, &taken) || *taken != c.want {
				t.Errorf("%s: %+v, want %+v", c.sent, err, c.want)
			}
		}
		if diff := cmp.Diff(&before, s.find(id)); diff != "" || len(s.events(1)) != events {
			t.Errorf("something was changed: %s", diff)
		}
		err := s.update(id, Registration{Email: "OLE@example.com", Phone: "999", LoyaltyCard: "Ole"},
			"email", "phone", "loyaltyCardNumber") // their own values do not conflict
		if err != nil {
			t.Error(err)
		}
	})
}

func TestTillAndSellerOfACustomer(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		var till, sam string
		s.Write(func(tx *db.Tx) error {
			place, err := pos.Create(tx, s.Store.Key, pos.Details{Name: "Harbour", Identifier: "T-1"})
			if err != nil {
				return err
			}
			who, err := seller.Create(tx, s.Store.Key, seller.New{Email: "sam@example.com", Active: true})
			till, sam = place.ID, who.ID
			return err
		})
		id := s.register(Registration{POSID: till, SellerID: sam, LevelID: s.gold, Active: true}).ID
		got := strings.ReplaceAll(strings.Join(s.events(6), " "), "User.Event.", "")
		const assigned = "PosWasAssignedToCustomer SellerWasAssignedToCustomer"
		if got != assigned+" CustomerWasMovedToLevel CustomerWasActivated" {
			t.Errorf("a registration tells %s", got)
		}
		next := int64(len(s.events(1)) + 1)
		if err := s.update(id, Registration{POSID: till, SellerID: sam}, "posId", "sellerId"); err != nil {
			t.Fatal(err)
		}
		err := s.lockedDo(id, func(tx *db.Tx, c *Customer, _ points.Account) error { return AssignPOS(tx, s.Store, c, till) })
		if err != nil {
			t.Fatal(err)
		}
		got = strings.ReplaceAll(strings.Join(s.events(next), " "), "User.Event.", "")
		if got != "CustomerDetailsWereUpdated "+assigned+" PosWasAssignedToCustomer" {
			t.Errorf("changes tell %s", got)
		}
		if c := s.find(id); c.POSID != till || c.SellerID != sam || c.Version != 3 {
			t.Errorf("%+v", c)
		}
	})
}

func TestTheDeletedVanish(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.register(ida()).ID
		s.Write(func(tx *db.Tx) error {
			_, err := points.Change(tx, points.Owner{Store: s.Store, CustomerID: id},
				func(w *points.Wallet) ([]event.Entry, error) {
					_, entry := w.Add(points.Grant{Value: decimal.Whole(10), Issuer: points.ByAdmin, CreatedAt: tx.Now()})
					return []event.Entry{entry}, nil
				})
			return err
		})
		remove := func() error {
			return s.lockedDo(id, func(tx *db.Tx, c *Customer, _ points.Account) error { return Delete(tx, s.Store, c) })
		}
		if err := remove(); err != nil {
			t.Fatal(err)
		}
		if err := remove(); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("deleting again: %v", err)
		}
		for _, err := range []error{s.update(id, ida(), "firstName")} {
			if !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("changing a deleted customer: %v", err)
			}
		}
		c := s.find(id)
		if c.Status != Deleted || c.Email+c.Phone+c.LoyaltyCard+c.PasswordHash+c.LevelID != "" {
			t.Errorf("left is %+v", c)
		}
		s.Write(func(tx *db.Tx) error {
			for _, identifier := range []string{"ida@example.com", "+48 123", "card-7"} {
				if _, found, err := FindLogin(tx, s.Store.Key, identifier); found || err != nil {
					t.Errorf("%s logs in, %v", identifier, err)
				}
			}
			if n, err := countSelected(tx, new(Filter).fromClause(s.Store.Key)); n != 0 || err != nil {
				t.Errorf("%d are listed, %v", n, err)
			}
			account, err := points.Balance(tx, s.Store, id)
			if account.Points == 0 {
				t.Error("the points are gone")
			}
			return err
		})
		if got := s.members(); got != [3]int64{} || s.searched("ida", 10, 0) != "0" {
			t.Errorf("the levels have %v, the search finds %s", got, s.searched("ida", 10, 0))
		}
		if again := s.register(ida()); again.ID == id {
			t.Error("a new registration restored the deleted customer")
		}
	})
}

// Blocked, deleted and anonymized customers are listed as inactive since then, until they are activated.
func TestInactiveSince(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		people := map[string]string{}
		for i, name := range []string{"active", "blocked", "deleted", "anonymized", "let in again"} {
			in := Registration{FirstName: "A", LastName: "B", Email: fmt.Sprint(i, "@example.com"), Active: true}
			people[s.register(in).ID] = name
		}
		for id, name := range people {
			s.Write(func(tx *db.Tx) error {
				switch name {
				case "active":
					return nil
				case "deleted":
					c, err := LockRow(tx, s.Store.Key, id)
					if err != nil {
						return err
					}
					return Delete(tx, s.Store, c)
				case "anonymized":
					c, err := LockRow(tx, s.Store.Key, id)
					if err != nil {
						return err
					}
					return Anonymize(tx, s.Store, c)
				}
				return Deactivate(tx, s.Store, id)
			})
			if name == "let in again" {
				s.Write(func(tx *db.Tx) error { return Activate(tx, s.Store, id) })
			}
		}
		for from, want := range map[time.Time]int{now: 3, now.Add(time.Microsecond): 0} {
			found := map[string]bool{}
			s.Write(func(tx *db.Tx) error {
				return EachInactiveSince(tx, from, func(id string, since time.Time) {
					if found[people[id]] = true; !since.Equal(now) {
						t.Errorf("%s since %v", people[id], since)
					}
				})
			})
			if len(found) != want || found["active"] || found["let in again"] {
				t.Errorf("inactive since %v: %v", from, found)
			}
		}
	})
}
