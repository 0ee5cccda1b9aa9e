package store_test

import (
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

// TestMissingSettingsHaveTheirDefault reads settings that were stored before a setting existed.
func TestMissingSettingsHaveTheirDefault(t *testing.T) {
	var got store.Settings
	text := `{"timezone":"Europe/Oslo","returns":false,"customersIdentificationPriority":[{"priority":1,"field":"phone"}]}`
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := store.DefaultSettings()
	want.Timezone, want.Returns = "Europe/Oslo", false
	want.Identification = []store.Identification{{Priority: 1, Field: store.ByPhone}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestChangesOfOneStoreWaitForEachOther increments a setting concurrently: no update is lost.
func TestChangesOfOneStoreWaitForEachOther(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		made, other := create(t, d, "SHOP"), create(t, d, "OTHER")
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					s, err := store.Lock(tx, made.Key)
					if err != nil {
						return err
					}
					s.Settings.PointsDaysActiveCount++
					return store.Update(tx, s)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		write(t, d, func(tx *db.Tx) error {
			for _, want := range []struct {
				id   string
				days int
			}{{made.ID, 40}, {other.ID, 30}} {
				s, found, err := store.ByID(tx, want.id)
				if err != nil || !found || s.Settings.PointsDaysActiveCount != want.days {
					t.Errorf("%d days, found %t, %v; want %d", s.Settings.PointsDaysActiveCount, found, err, want.days)
				}
			}
			_, err := store.Lock(tx, other.Key+1)
			if !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("an unknown store is locked: %v", err)
			}
			return nil
		})
	})
}

// TestOneCodeAtOnce adds stores concurrently, some with the same code.
func TestOneCodeAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var made, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					code := "SAME"
					if i%2 == 0 {
						code = "SHOP" + string(rune('A'+i))
					}
					_, err := store.Create(tx, store.New{Code: code, Settings: store.DefaultSettings()})
					return err
				})
				switch {
				case err == nil:
					made.Add(1)
				case errors.Is(err, store.ErrTaken) && i%2 == 1:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if made.Load() != 5 || refused.Load() != 3 {
			t.Errorf("%d were made, %d refused", made.Load(), refused.Load())
		}
	})
}
