package store_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func newClock() *dbtest.Clock { return dbtest.NewClock(time.Date(2031, 3, 3, 10, 15, 0, 0, time.UTC)) }

func write(t *testing.T, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(t.Context(), run); err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, d *db.DB, code string) *store.Store {
	t.Helper()
	var made *store.Store
	write(t, d, func(tx *db.Tx) (err error) {
		made, err = store.Create(tx, store.New{
			Code: code, Name: "Shop " + code, Currency: "EUR", Settings: store.DefaultSettings(),
		})
		return err
	})
	return made
}

func execute(t *testing.T, d *db.DB, statement string) {
	t.Helper()
	write(t, d, func(tx *db.Tx) error {
		_, err := tx.Exec(statement)
		return err
	})
}

// known returns what the directory has for a code: the name, "inactive", or nothing.
func known(t *testing.T, directory *store.Directory, code string) string {
	t.Helper()
	s, found, err := directory.ByCode(t.Context(), code)
	switch {
	case err != nil:
		t.Fatal(err)
	case found:
		return s.Name
	case s != nil:
		return "inactive"
	}
	return ""
}

func TestCreatedStoreReadsBack(t *testing.T) {
	dbtest.EachAt(t, newClock().Now, func(t *testing.T, d *db.DB) {
		settings := store.DefaultSettings()
		settings.Timezone, settings.TierAssignType = "Europe/Warsaw", store.TierPoints
		settings.CustomerMayUnmarkCoupons = true
		var first, second, read *store.Store
		var found bool
		var all []store.Store
		write(t, d, func(tx *db.Tx) (err error) {
			first, err = store.Create(tx, store.New{Code: "UK3", Name: "Leeds", Currency: "GBP", Settings: settings})
			return err
		})
		second = create(t, d, "DEF_STORE")
		write(t, d, func(tx *db.Tx) (err error) {
			if read, found, err = store.ByCode(tx, "UK3"); err == nil {
				all, err = store.All(tx)
			}
			return err
		})
		zones := cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })
		if diff := cmp.Diff(first, read, zones); !found || diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]store.Store{*first, *second}, all, zones); diff != "" {
			t.Error(diff)
		}
		if !first.Active || first.Key != 1 || second.Key != 2 || first.ID == second.ID || !first.CreatedAt.Equal(d.Now()) ||
			first.Zone.String() != "Europe/Warsaw" || second.Zone.String() != "UTC" {
			t.Errorf("made %+v and %+v", first, second)
		}
	})
}

func TestRefusedStoreLeavesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		create(t, d, "SHOP")
		nowhere := store.DefaultSettings()
		nowhere.Timezone = "Europe/Nowhere"
		for _, in := range []store.New{
			{Code: "SHOP", Name: "Second", Settings: store.DefaultSettings()},
			{Code: "LOST", Name: "Lost", Settings: nowhere},
		} {
			err := d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := store.Create(tx, in)
				return err
			})
			if err == nil {
				t.Errorf("the store %+v was made", in)
			}
		}
		directory := store.NewDirectory(d)
		if got := known(t, directory, "SHOP") + known(t, directory, "LOST"); got != "Shop SHOP" {
			t.Errorf("known are %q", got)
		}
	})
}

func TestDirectoryKnowsCodesAndKeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		open, closed := create(t, d, "DEF_STORE"), create(t, d, "CLOSED")
		execute(t, d, `UPDATE stores SET active = FALSE WHERE code = 'CLOSED'`)
		directory := store.NewDirectory(d)
		for code, want := range map[string]string{
			"DEF_STORE": "Shop DEF_STORE", "def_store": "", "DEF_STORE ": "", "": "", "NONE": "", "CLOSED": "inactive",
		} {
			if got := known(t, directory, code); got != want {
				t.Errorf("ByCode(%q) is %q, want %q", code, got, want)
			}
		}
		for _, s := range []*store.Store{open, closed} {
			got, found, err := directory.ByKey(t.Context(), s.Key)
			if err != nil || !found || got.ID != s.ID || got.Active != (s == open) {
				t.Errorf("ByKey(%d) = %+v, %v, %v", s.Key, got, found, err)
			}
		}
		if _, found, err := directory.ByKey(t.Context(), 3); found || err != nil {
			t.Errorf("ByKey(3) = %v, %v", found, err)
		}
	})
}

// A change on this node is visible at once, one on another node when the cache expires.
func TestDirectoryOfTwoNodes(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock, config := newClock(), dbtest.Config(t, engine)
			own, other := dbtest.Open(t, config, clock.Now), dbtest.Open(t, config, clock.Now)
			here, there := store.NewDirectory(own), store.NewDirectory(other)
			expect := func(directory *store.Directory, code, want string) {
				t.Helper()
				if got := known(t, directory, code); got != want {
					t.Errorf("%s is %q, want %q", code, got, want)
				}
			}
			expect(here, "NEW", "")
			expect(there, "NEW", "")
			create(t, own, "NEW")
			here.Forget()
			expect(here, "NEW", "Shop NEW")
			clock.Advance(time.Second - time.Microsecond)
			expect(there, "NEW", "")
			clock.Advance(time.Microsecond)
			expect(there, "NEW", "Shop NEW")

			execute(t, own, `UPDATE stores SET active = FALSE`)
			write(t, own, func(tx *db.Tx) error {
				return store.AddLanguage(tx, store.Language{Code: "pl", Name: "Polski", Default: true})
			})
			expect(there, "NEW", "Shop NEW")
			here.Forget()
			expect(here, "NEW", "inactive")
			if l, err := there.Languages(t.Context()); err != nil || l != nil {
				t.Errorf("another node knows the languages %v at once, %v", l, err)
			}
			if l, err := here.Languages(t.Context()); err != nil || l.Default() != "pl" {
				t.Errorf("this node knows the languages %v, %v", l, err)
			}
			clock.Advance(-time.Hour) // a clock that is set back must not keep the cache
			expect(there, "NEW", "inactive")
		})
	}
}

func TestDirectoryIsSharedByManyRequests(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		made := create(t, d, "SHOP")
		directory := store.NewDirectory(d)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if i%2 == 0 {
					directory.Forget()
				}
				if s, found, err := directory.ByCode(t.Context(), "SHOP"); err != nil || !found || s.ID != made.ID {
					t.Errorf("ByCode = %v, %v, %v", s, found, err)
				}
			})
		}
		all.Wait()
	})
}

func TestTranslationIDsAreNeverGivenTwice(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var mutex sync.Mutex
		var taken []int64
		var all sync.WaitGroup
		for n := range 5 {
			all.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					first, err := store.TranslationIDs(tx, n)
					mutex.Lock()
					defer mutex.Unlock()
					for i := range n {
						taken = append(taken, first+int64(i))
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		slices.Sort(taken)
		if want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; !slices.Equal(taken, want) {
			t.Errorf("taken are %v", taken)
		}
	})
}

func TestUnfinishedDemonstrationIsNoticed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, step := range []struct {
			name string
			run  func(tx *db.Tx) error
			want bool
		}{
			{"never begun", func(*db.Tx) error { return nil }, false},
			{"begun", store.BeginDemo, true},
			{"complete", store.EndDemo, false},
		} {
			write(t, d, step.run)
			write(t, d, func(tx *db.Tx) error {
				unfinished, err := store.DemoUnfinished(tx)
				if unfinished != step.want {
					t.Errorf("%s: unfinished is %v", step.name, unfinished)
				}
				return err
			})
		}
	})
}
