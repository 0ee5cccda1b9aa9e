package seller_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

var now = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

// shops is a database with two stores that have a point of sale each.
type shops struct {
	*shoptest.Shop // the first store
	here, there    shop
}

type shop struct {
	key  int64
	till string
}

func each(t *testing.T, run func(s shops)) {
	t.Helper()
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) {
		open := func(code string) (*shoptest.Shop, shop) {
			opened := shoptest.Open(t, d, code, nil)
			made := shop{key: opened.Store.Key}
			opened.Write(func(tx *db.Tx) error {
				till, err := pos.Create(tx, made.key, pos.Details{Name: "Till", Identifier: "T-1"})
				if err == nil {
					made.till = till.ID
				}
				return err
			})
			return opened, made
		}
		first, here := open("HERE")
		_, there := open("THERE")
		run(shops{first, here, there})
	})
}

func (s shops) create(in shop, email string) (made seller.Seller, err error) {
	err = s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
		made, err = seller.Create(tx, in.key, data(in, email))
		return err
	})
	return made, err
}

func (s shops) mustCreate(in shop, email string) seller.Seller {
	s.Helper()
	made, err := s.create(in, email)
	if err != nil {
		s.Fatal(err)
	}
	return made
}

func data(in shop, email string) seller.New {
	return seller.New{
		Email: email, FirstName: "Sam", LastName: "Seller", Phone: "+48111", PasswordHash: "hash", POSID: in.till,
		Active: true, AllowPointTransfer: true,
	}
}

// refusal returns the refused fields of an error.
func refusal(err error) seller.Refused {
	if refused, ok := errors.AsType[*seller.Refused](err); ok {
		return *refused
	}
	return seller.Refused{}
}

func TestSellersAreFoundInTheirStoreOnly(t *testing.T) {
	each(t, func(s shops) {
		created := s.mustCreate(s.here, " Sam@Example.com")
		want := seller.Seller{
			StoreKey: s.here.key, ID: created.ID, Email: "sam@example.com", FirstName: "Sam", LastName: "Seller",
			Phone: "+48111", PasswordHash: "hash", POSID: s.here.till, Active: true, CreatedAt: now,
			Rights: seller.Rights{
				AllowPointTransfer: true, AllowCouponUse: true, AllowCouponLookup: true, AllowTransactions: true,
			},
		}
		if diff := cmp.Diff(want, created); diff != "" {
			s.Error(diff)
		}
		s.Write(func(tx *db.Tx) error {
			for _, in := range []shop{s.here, s.there} {
				byID, foundByID, err := seller.FindByID(tx, in.key, created.ID)
				if err != nil {
					return err
				}
				byLogin, foundByLogin, err := seller.FindByLogin(tx, in.key, "SAM@example.com ")
				if err != nil {
					return err
				}
				if here := in == s.here; foundByID != here || foundByLogin != here {
					s.Errorf("in store %d: %t by id, %t by login", in.key, foundByID, foundByLogin)
				} else if here && (cmp.Diff(want, byID) != "" || cmp.Diff(want, byLogin) != "") {
					s.Error(cmp.Diff(want, byID), cmp.Diff(want, byLogin))
				}
			}
			hash := created.PasswordHash
			if same, err := seller.SetLastLogin(tx, s.there.key, created.ID, hash); same || err != nil {
				s.Errorf("a log-in in another store: %t, %v", same, err)
			}
			if same, err := seller.SetLastLogin(tx, s.here.key, created.ID, "another hash"); same || err != nil {
				s.Errorf("a log-in with another password: %t, %v", same, err)
			}
			if found, _, err := seller.FindByID(tx, s.here.key, created.ID); err != nil || !found.LastLoginAt.IsZero() {
				s.Errorf("a log-in of another store or password is noted: %v", err)
			}
			if same, err := seller.SetLastLogin(tx, s.here.key, created.ID, hash); !same || err != nil {
				s.Errorf("the log-in is not noted: %v", err)
			}
			found, _, err := seller.FindByID(tx, s.here.key, created.ID)
			if !found.LastLoginAt.Equal(now) {
				s.Errorf("the last log-in was at %s", found.LastLoginAt)
			}
			return err
		})
	})
}

// TestAddressesAreUniqueInAStore shows that two stores may have sellers with one address.
func TestAddressesAreUniqueInAStore(t *testing.T) {
	each(t, func(s shops) {
		first := s.mustCreate(s.here, "sam@example.com")
		s.mustCreate(s.there, "sam@example.com")
		if _, err := s.create(s.here, "SAM@example.com"); !refusal(err).EmailTaken {
			s.Errorf("the same address twice: %v", err)
		}
		stores := func(want ...int64) {
			s.Helper()
			s.Write(func(tx *db.Tx) error {
				got, err := seller.StoresWithLogin(tx, "Sam@example.com")
				if diff := cmp.Diff(want, got); diff != "" {
					s.Errorf("stores with the address: %s", diff)
				}
				return err
			})
		}
		both := []int64{min(s.here.key, s.there.key), max(s.here.key, s.there.key)}
		stores(both...)
		s.Write(func(tx *db.Tx) error { return seller.Delete(tx, s.here.key, first.ID) })
		stores(s.there.key)
		if _, err := s.create(s.here, "sam@example.com"); err != nil {
			s.Errorf("the address of a deleted seller is not free: %v", err)
		}
		stores(both...)
	})
}

func TestAllProblemsAreToldAtOnce(t *testing.T) {
	each(t, func(s shops) {
		s.mustCreate(s.here, "sam@example.com")
		err := s.DB.Write(s.Context(), func(tx *db.Tx) error {
			_, err := seller.Create(tx, s.here.key, data(shop{till: s.there.till}, "sam@example.com"))
			return err
		})
		if refusal(err) != (seller.Refused{EmailTaken: true, POSUnknown: true}) {
			s.Errorf("got %v", err)
		}
	})
}

func TestChangesTellWhetherTheSellerMustLogInAnew(t *testing.T) {
	each(t, func(s shops) {
		s.mustCreate(s.here, "taken@example.com")
		made := s.mustCreate(s.here, "sam@example.com")
		for _, step := range []struct {
			name  string
			edit  func(in *seller.New)
			ended bool
		}{
			{"the same again", func(*seller.New) {}, false},
			{"another name and address", func(in *seller.New) { in.FirstName, in.Email = "Max", "Max@example.com" }, false},
			{"another password", func(in *seller.New) { in.PasswordHash = "other" }, true},
			{"switched off", func(in *seller.New) { in.Active = false }, true},
			{"switched off again", func(in *seller.New) { in.Active = false }, false},
			{"switched on", func(*seller.New) {}, false},
		} {
			in := data(s.here, "sam@example.com")
			in.PasswordHash = ""
			step.edit(&in)
			s.Write(func(tx *db.Tx) error {
				ended, err := seller.Change(tx, s.here.key, made.ID, in)
				if ended != step.ended {
					s.Errorf("%s: ended %t", step.name, ended)
				}
				return err
			})
		}
		change := func(in shop, email string) error {
			return s.DB.Write(s.Context(), func(tx *db.Tx) error {
				_, err := seller.Change(tx, in.key, made.ID, data(in, email))
				return err
			})
		}
		if err := change(s.here, "taken@example.com"); refusal(err) != (seller.Refused{EmailTaken: true}) {
			s.Errorf("another one's address: %v", err)
		}
		if err := change(s.there, "sam@example.com"); !errors.Is(err, fault.ErrNotFound) {
			s.Errorf("a seller of another store: %v", err)
		}
		made.PasswordHash = "other"
		s.Write(func(tx *db.Tx) error {
			got, _, err := seller.FindByID(tx, s.here.key, made.ID)
			if diff := cmp.Diff(made, got); diff != "" {
				s.Error(diff)
			}
			return err
		})
	})
}

// Clients that do not know a right leave it as it is.
func TestRightsThatAreNotSentStay(t *testing.T) {
	each(t, func(s shops) {
		in := data(s.here, "sam@example.com")
		in.AllowCouponUse, in.AllowPointTransfer = new(false), false
		var id string
		s.Write(func(tx *db.Tx) error {
			made, err := seller.Create(tx, s.here.key, in)
			id = made.ID
			return err
		})
		is := func(want seller.Rights) {
			s.Helper()
			s.Write(func(tx *db.Tx) error {
				got, _, err := seller.FindByID(tx, s.here.key, id)
				if got.Rights != want {
					s.Errorf("%+v, want %+v", got.Rights, want)
				}
				return err
			})
		}
		is(seller.Rights{AllowCouponLookup: true, AllowTransactions: true})
		in.AllowCouponUse, in.AllowCouponLookup, in.AllowTransactions = nil, new(false), new(false)
		s.Write(func(tx *db.Tx) error {
			_, err := seller.Change(tx, s.here.key, id, in)
			return err
		})
		is(seller.Rights{})
		in.AllowCouponUse, in.AllowCouponLookup, in.AllowTransactions = new(true), nil, new(true)
		in.AllowCouponCancel = new(true)
		s.Write(func(tx *db.Tx) error {
			_, err := seller.Change(tx, s.here.key, id, in)
			return err
		})
		is(seller.Rights{AllowCouponUse: true, AllowTransactions: true, AllowCouponCancel: true})
	})
}

func TestSwitchedOffAndDeletedSellers(t *testing.T) {
	each(t, func(s shops) {
		made := s.mustCreate(s.here, "sam@example.com")
		run := func(storeKey int64, what func(tx *db.Tx, storeKey int64, id string) error) error {
			return s.DB.Write(s.Context(), func(tx *db.Tx) error { return what(tx, storeKey, made.ID) })
		}
		on := func(tx *db.Tx, key int64, id string) error { return seller.Activate(tx, key, id, true) }
		off := func(tx *db.Tx, key int64, id string) error { return seller.Activate(tx, key, id, false) }
		active := func(want bool) {
			s.Helper()
			s.Write(func(tx *db.Tx) error {
				got, found, err := seller.FindByID(tx, s.here.key, made.ID)
				if !found || got.Active != want {
					s.Errorf("found %t, active %t", found, got.Active)
				}
				return err
			})
		}
		for range 2 { // repeating changes nothing
			if err := run(s.here.key, off); err != nil {
				s.Fatal(err)
			}
		}
		active(false)
		for _, what := range []func(tx *db.Tx, key int64, id string) error{on, off, seller.Delete} {
			if err := run(s.there.key, what); !errors.Is(err, fault.ErrNotFound) {
				s.Errorf("through another store: %v", err)
			}
		}
		if err := run(s.here.key, on); err != nil {
			s.Fatal(err)
		}
		active(true)
		if err := run(s.here.key, seller.Delete); err != nil {
			s.Fatal(err)
		}
		for _, what := range []func(tx *db.Tx, key int64, id string) error{on, off, seller.Delete} {
			if err := run(s.here.key, what); !errors.Is(err, fault.ErrNotFound) {
				s.Errorf("a deleted one: %v", err)
			}
		}
	})
}

func TestPasswordsAreReplacedOnce(t *testing.T) {
	dbtest.Both(t)
	each(t, func(s shops) {
		made := s.mustCreate(s.here, "sam@example.com")
		var changed atomic.Int64
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				err := s.DB.Write(s.Context(), func(tx *db.Tx) error {
					done, err := seller.SetPassword(tx, s.here.key, made.ID, "hash", fmt.Sprint("next", i))
					if done {
						changed.Add(1)
					}
					return err
				})
				if err != nil {
					s.Error(err)
				}
			})
		}
		all.Wait()
		if changed.Load() != 1 {
			s.Errorf("%d changes of one password", changed.Load())
		}
	})
}

// TestOneAddressAtOnce gives the same address to new sellers and a changed one concurrently: one gets it, and the
// others are refused.
func TestOneAddressAtOnce(t *testing.T) {
	dbtest.Both(t)
	each(t, func(s shops) {
		old := s.mustCreate(s.here, "old@example.com")
		var got, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				err := s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
					if i == 0 {
						_, err = seller.Change(tx, s.here.key, old.ID, data(s.here, "new@example.com"))
					} else {
						_, err = seller.Create(tx, s.here.key, data(s.here, "new@example.com"))
					}
					return err
				})
				switch {
				case err == nil:
					got.Add(1)
				case refusal(err).EmailTaken:
					refused.Add(1)
				default:
					s.Error(err)
				}
			})
		}
		all.Wait()
		if got.Load() != 1 || refused.Load() != 7 {
			s.Errorf("%d got it, %d were refused", got.Load(), refused.Load())
		}
	})
}
