package listview

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// fill saves views until an administrator has n of them.
func fill(s *shoptest.Shop, owner string, shared bool, n int) (last *view) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		for i := range n {
			last = named(tx, owner, fmt.Sprint(i), shared)
			if err := save(tx, s.Store.Key, last); err != nil {
				return err
			}
		}
		return nil
	})
	return last
}

func named(tx *db.Tx, owner, name string, shared bool) *view {
	return &view{ID: tx.NewID(), OwnerID: owner, Details: Details{Name: name, Shared: shared}, CreatedAt: tx.Now()}
}

// The views of an administrator, and those that a store shares, are limited, also when several are saved at once. One
// more can be replaced at the limit, but not shared.
func TestLimit(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := shoptest.Open(t, d, "VIEWS", nil, level.Level{Active: true})
		try := func(owner string, shared bool) error {
			return d.Write(t.Context(), func(tx *db.Tx) error { return save(tx, s.Store.Key, named(tx, owner, "x", shared)) })
		}
		fill(s, "anna", false, Limit-1)
		var saved, refused int
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				err := try("anna", false)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					saved++
				case errors.Is(err, errTooMany):
					refused++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if saved != 1 || refused != 3 {
			t.Errorf("%d saved and %d refused of 4 with room for one", saved, refused)
		}
		own := fill(s, "ben", false, 1)
		fill(s, "cleo", true, Limit/2)
		fill(s, "dora", true, Limit/2)
		own.Name = "again"
		s.Write(func(tx *db.Tx) error { return save(tx, s.Store.Key, own) })
		if err := try("ben", true); !errors.Is(err, errTooMany) {
			t.Errorf("sharing one more: %v", err)
		}
		var found []view
		s.Read(func(tx *db.Tx) (err error) {
			found, err = visible(tx, s.Store.Key, "ben")
			return err
		})
		if len(found) != Limit+1 || found[Limit].Name != "again" {
			t.Errorf("ben sees %d views, the last one %q", len(found), found[len(found)-1].Name)
		}
	})
}
