package customer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

func TestFindLogin(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		in := ida()
		in.PasswordHash, in.PasswordTemporary = "hash", true
		both := s.register(in).ID
		byPhone := s.register(Registration{Phone: "777"}).ID
		byCard := s.register(Registration{LoyaltyCard: "Ida@example.com"}).ID // an e-mail address goes first
		s.register(Registration{FirstName: "Nobody"})
		elsewhere.register(Registration{Email: "else@example.com", LoyaltyCard: "888"})
		for identifier, want := range map[string]string{
			"ida@example.com": both, "IDA@Example.COM": both, " ida@example.com ": both, "+48 123": both, " +48 123": both,
			"Card-7": both, "CARD-7": both, " card-7 ": both, "777": byPhone, "": "", "  ": "", "ida": "", "48 123": both,
			"else@example.com": "", "888": "", "Ida": "",
		} {
			s.Write(func(tx *db.Tx) error {
				l, found, err := FindLogin(tx, s.Store.Key, identifier)
				if l.ID != want || found != (want != "") {
					t.Errorf("%q finds %q, %v, want %q", identifier, l.ID, found, want)
				}
				return err
			})
		}
		s.Write(func(tx *db.Tx) error {
			for id, want := range map[string]Login{
				both: {StoreKey: s.Store.Key, ID: both, Username: "ida@example.com", PasswordHash: "hash", Temporary: true,
					Active: true, LastLoginAt: now},
				byPhone: {StoreKey: s.Store.Key, ID: byPhone, Username: "777"},
				byCard:  {StoreKey: s.Store.Key, ID: byCard},
			} {
				for _, hash := range []string{"another hash", want.PasswordHash} {
					same, err := LoggedIn(tx, s.Store.Key, id, hash)
					if err != nil {
						return err
					}
					if same != (want.Active && hash == want.PasswordHash) {
						t.Errorf("log-in of %s with %q: %t", want.Username, hash, same)
					}
				}
				l, found, err := FindLoginByID(tx, s.Store.Key, id)
				l.status, l.fallback = "", ""
				if l != want || !found || err != nil {
					t.Errorf("%+v, %v, %v, want %+v", l, found, err, want)
				}
			}
			_, found, err := FindLoginByID(tx, elsewhere.Store.Key, both)
			if found {
				t.Error("a log-in is found in another store")
			}
			return err
		})
	})
}

func TestStoresWithLogin(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first, second, closed := newShop(t, d, "A"), newShop(t, d, "B"), newShop(t, d, "C")
		for _, s := range []*shop{first, second, closed} {
			s.register(ida())
		}
		second.register(Registration{Phone: "777"})
		first.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE stores SET active = FALSE WHERE code = 'C'`)
			return err
		})
		for identifier, want := range map[string][]int64{
			"IDA@example.com": {first.Store.Key, second.Store.Key}, "777": {second.Store.Key}, "nobody": nil,
		} {
			first.Write(func(tx *db.Tx) error {
				keys, err := StoresWithLogin(tx, identifier)
				if !slices.Equal(keys, want) {
					t.Errorf("%s: %v, want %v", identifier, keys, want)
				}
				return err
			})
		}
	})
}

func TestFindByPath(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		id := s.register(ida()).ID
		s.register(Registration{})
		for _, c := range []struct {
			store  *store.Store
			text   string
			isUUID bool
			found  bool
		}{
			{s.Store, id, true, true}, {s.Store, strings.ToUpper(id), true, true}, {s.Store, "Card-7", false, true},
			{s.Store, " CARD-7 ", false, true}, {s.Store, "card", false, false}, {s.Store, "", false, false},
			{s.Store, "ida@example.com", false, false}, {s.Store, db.NewID(), true, false},
			{elsewhere.Store, id, true, false}, {elsewhere.Store, "Card-7", false, false},
		} {
			s.Write(func(tx *db.Tx) error {
				got, err := FindByPath(tx, c.store.Key, c.text, c.isUUID)
				if c.found && (err != nil || got.ID != id) || !c.found && !errors.Is(err, fault.ErrNotFound) {
					t.Errorf("%q in %s: %v, %v", c.text, c.store.Code, got.ID, err)
				}
				return nil
			})
		}
	})
}

// searched lists the first names of the customers that a search finds on a page.
func (s *shop) searched(query string, limit, offset int) string {
	s.Helper()
	var names []string
	s.Write(func(tx *db.Tx) error {
		found, total, err := Search(tx, s.Store.Key, query, limit, offset)
		for i := range found {
			names = append(names, found[i].FirstName)
		}
		names = append(names, fmt.Sprint(total))
		return err
	})
	return strings.Join(names, " ")
}

func TestSearchFindsTheRegistered(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		s.register(Registration{Email: "ida@example.com", Phone: "+48601234567", LoyaltyCard: "K-900111",
			FirstName: "Ida", LastName: "Żółć"})
		s.register(Registration{Email: "ole@example.com", FirstName: "Ole", LastName: "Idason"})
		s.register(Registration{Email: "x@idaho.example", FirstName: "Eva"})
		s.register(Registration{Email: "x.ole@example.com", FirstName: "Pia"})
		elsewhere.register(Registration{FirstName: "Ida"})
		for _, c := range []struct {
			query         string
			limit, offset int
			want          string
		}{
			{"ida", 10, 0, "Ida Ole Eva 3"}, {"ida", 1, 1, "Ole 3"}, {"ida", 10, 3, "3"}, {"IDA zolc", 10, 0, "Ida 1"},
			{"ole@example.com", 10, 0, "Ole 1"}, {" OLE@ex", 10, 0, "Ole 1"},
			{"x@", 10, 0, "Eva 1"}, {"idaho@x", 10, 0, "Eva 1"}, {"@example.com", 2, 1, "Ole Pia 3"}, {"x@", 10, 1, "1"},
			{"601234567", 10, 0, "Ida 1"}, {"900111", 10, 0, "Ida 1"},
			{"K-9", 10, 0, "Ida 1"}, {"nobody", 10, 0, "0"}, {"", 10, 0, "0"},
		} {
			if got := s.searched(c.query, c.limit, c.offset); got != c.want {
				t.Errorf("%q from %d: %q, want %q", c.query, c.offset, got, c.want)
			}
		}
	})
}

func TestFailedOperationLeavesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, failed := newShop(t, d, "SHOP"), errors.New("failed")
		var id string
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			c, err := Register(tx, s.Store, ida())
			id = c.ID
			return errors.Join(err, failed)
		})
		if !errors.Is(err, failed) {
			t.Fatal(err)
		}
		if got := s.searched("ida", 10, 0); got != "0" {
			t.Errorf("the search finds %s", got)
		}
		s.Write(func(tx *db.Tx) error {
			if _, err := Find(tx, s.Store.Key, id); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("Find = %v", err)
			}
			_, found, err := FindLogin(tx, s.Store.Key, "ida@example.com")
			if found {
				t.Error("the log-in is there")
			}
			return err
		})
		if events := s.events(1); events != nil || s.members() != [3]int64{} {
			t.Errorf("left are %v and %v members", events, s.members())
		}
		s.register(ida())
	})
}

func TestReindex(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		var ids []string
		for i := range 5 {
			ids = append(ids, s.register(Registration{FirstName: fmt.Sprintf("Ida%d", i)}).ID)
		}
		foreign := elsewhere.register(Registration{FirstName: "Ida"}).ID
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE customers SET status = 'deleted' WHERE customer_id = $1`, ids[2])
			return errors.Join(err, search.Remove(tx, s.Store.Key, SearchKind, ids...),
				search.Remove(tx, elsewhere.Store.Key, SearchKind, foreign))
		})
		if got := s.searched("ida", 10, 0); got != "0" {
			t.Fatalf("an empty index finds %s", got)
		}
		var steps []string
		for after := ""; len(steps) < 9; {
			var last string
			var done int
			s.Write(func(tx *db.Tx) (err error) {
				last, done, err = Reindex(tx, s.Store.Key, after, 3)
				return err
			})
			steps = append(steps, fmt.Sprint(slices.Index(ids, last), " ", done))
			if after = last; after == "" {
				break
			}
		}
		if diff := cmp.Diff([]string{"3 3", "4 1", "-1 0"}, steps); diff != "" {
			t.Error(diff)
		}
		if got := s.searched("ida", 10, 0) + ", " + elsewhere.searched("ida", 10, 0); got != "Ida0 Ida1 Ida3 Ida4 4, 0" {
			t.Errorf("found %q", got)
		}
	})
}

func TestPagesOfCustomers(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		newShop(t, d, "OTHER").register(Registration{FirstName: "x"})
		var gone string
		for _, name := range []string{"b", "c", "gone", "a"} {
			id := s.register(Registration{FirstName: name}).ID
			if name == "gone" {
				gone = id
			}
		}
		s.Write(func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE customers SET created_at = 0`); err != nil { // as after an import of days
				return err
			}
			_, err := tx.Exec(`UPDATE customers SET status = 'deleted' WHERE customer_id = $1`, gone)
			return err
		})
		for _, c := range []struct {
			page api.Page
			want string
		}{
			{api.Page{Limit: 10}, "bca"}, {api.Page{Limit: 2}, "bc"}, {api.Page{Limit: 2, Offset: 2}, "a"},
			{api.Page{Limit: 2, Offset: 4}, ""}, {api.Page{Limit: 10, Sort: "firstName"}, "abc"},
			{api.Page{Limit: 10, Sort: "firstName", Descending: true}, "cba"},
			{api.Page{Limit: 10, Sort: "password", Descending: true}, "acb"},
			{api.Page{Limit: 10, Sort: "createdAt"}, "bca"}, // equal ones in the order in which they were registered
			{api.Page{Limit: 2, Sort: "createdAt", Descending: true}, "bc"},
			{api.Page{Limit: 2, Offset: 2, Sort: "createdAt", Descending: true}, "a"},
		} {
			s.Write(func(tx *db.Tx) error {
				found, err := readPage(tx, s.Store.Key, new(Filter).fromClause(s.Store.Key), c.page)
				got := ""
				for i := range found {
					got += found[i].FirstName
				}
				if got != c.want {
					t.Errorf("%+v: %q, want %q", c.page, got, c.want)
				}
				return err
			})
		}
		s.Write(func(tx *db.Tx) error { // every sortable column exists
			for name := range sortable.Columns {
				where := new(Filter).fromClause(s.Store.Key)
				if _, err := readPage(tx, s.Store.Key, where, api.Page{Sort: name, Limit: 10}); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// A page far from the beginning holds the rows that a long first page has there, in every order.
func TestDeepPagesOfCustomers(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		for i := range 110 {
			s.register(Registration{FirstName: fmt.Sprint(i * 37 % 11), LastName: fmt.Sprint(i * 37 % 110)})
		}
		s.Write(func(tx *db.Tx) error {
			for name := range sortable.Columns {
				for _, descending := range []bool{false, true} {
					asked := api.Page{Sort: name, Descending: descending, Limit: 200}
					all, err := readPage(tx, s.Store.Key, new(Filter).fromClause(s.Store.Key), asked)
					if err != nil {
						return err
					}
					asked.Offset, asked.Limit = 103, 5
					deep, err := readPage(tx, s.Store.Key, new(Filter).fromClause(s.Store.Key), asked)
					if diff := cmp.Diff(all[103:108], deep); diff != "" || err != nil {
						t.Errorf("%+v: %s %v", asked, diff, err)
					}
				}
			}
			return nil
		})
	})
}

func TestBuyers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		in := ida()
		in.Address = Address{City: "Lyon"}
		id, other := s.register(in).ID, elsewhere.register(ida()).ID
		s.Write(func(tx *db.Tx) error {
			buyers, err := Buyers(tx, s.Store.Key, []string{other, id, db.NewID()})
			want := map[string]*Buyer{id: {
				ID: id, Status: Active, LevelID: s.bronze, Email: "ida@example.com", Phone: "+48 123", FirstName: "Ida",
				LastName: "Berg", Address: `{"city":"Lyon"}`,
			}}
			if diff := cmp.Diff(want, buyers); diff != "" {
				t.Error(diff)
			}
			return err
		})
	})
}
