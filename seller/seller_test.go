package seller_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/seller"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var now = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

func each(t *testing.T, run func(t *testing.T, d *db.DB)) {
	t.Helper()
	dbtest.EachAt(t, func() time.Time { return now }, run)
}

func write(t *testing.T, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(context.Background(), run); err != nil {
		t.Fatal(err)
	}
}

func create(d *db.DB, storeKey int64, email string) (s seller.Seller, err error) {
	err = d.Write(context.Background(), func(tx *db.Tx) (err error) {
		s, err = seller.Create(tx, storeKey, seller.New{
			Email: email, FirstName: "Sam", LastName: "Seller", Phone: "+48111", PasswordHash: "hash", POSID: "pos",
			Active: true, AllowPointTransfer: true,
		})
		return err
	})
	return s, err
}

func TestSellersAreFoundInTheirStoreOnly(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		created, err := create(d, 1, " Sam@Example.com")
		if err != nil {
			t.Fatal(err)
		}
		want := seller.Seller{
			StoreKey: 1, ID: created.ID, Email: "sam@example.com", FirstName: "Sam", LastName: "Seller", Phone: "+48111",
			PasswordHash: "hash", POSID: "pos", Active: true, AllowPointTransfer: true, CreatedAt: now,
		}
		if diff := cmp.Diff(want, created); diff != "" {
			t.Error(diff)
		}
		write(t, d, func(tx *db.Tx) error {
			for _, storeKey := range []int64{1, 2} {
				byID, foundByID, err := seller.FindByID(tx, storeKey, created.ID)
				if err != nil {
					return err
				}
				byLogin, foundByLogin, err := seller.FindByLogin(tx, storeKey, "SAM@example.com ")
				if err != nil {
					return err
				}
				if here := storeKey == 1; foundByID != here || foundByLogin != here {
					t.Errorf("in store %d: %t by id, %t by login", storeKey, foundByID, foundByLogin)
				} else if here && (cmp.Diff(want, byID) != "" || cmp.Diff(want, byLogin) != "") {
					t.Error(cmp.Diff(want, byID), cmp.Diff(want, byLogin))
				}
			}
			if err := seller.SetLastLogin(tx, 2, created.ID); err != nil {
				return err
			}
			if s, _, err := seller.FindByID(tx, 1, created.ID); err != nil || !s.LastLoginAt.IsZero() {
				t.Errorf("a log-in of another store is noted: %v", err)
			}
			if err := seller.SetLastLogin(tx, 1, created.ID); err != nil {
				return err
			}
			s, _, err := seller.FindByID(tx, 1, created.ID)
			if !s.LastLoginAt.Equal(now) {
				t.Errorf("the last log-in was at %s", s.LastLoginAt)
			}
			return err
		})
	})
}

func TestAddressesAreUniqueInAStore(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		for storeKey := range int64(2) {
			if _, err := create(d, storeKey+1, "sam@example.com"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := create(d, 1, "SAM@example.com"); !errors.Is(err, seller.ErrTaken) {
			t.Errorf("the same address twice: %v", err)
		}
		stores := func(want ...int64) {
			write(t, d, func(tx *db.Tx) error {
				got, err := seller.StoresWithLogin(tx, "Sam@example.com")
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("stores with the address: %s", diff)
				}
				return err
			})
		}
		stores(1, 2)
		write(t, d, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE sellers SET deleted = $1 WHERE store_id = 1`, true)
			return err
		})
		stores(2)
		if _, err := create(d, 1, "sam@example.com"); err != nil {
			t.Errorf("the address of a deleted seller is not free: %v", err)
		}
		stores(1, 2)
	})
}
