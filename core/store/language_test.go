package store_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func addLanguages(t *testing.T, d *db.DB, languages ...store.Language) {
	t.Helper()
	write(t, d, func(tx *db.Tx) error {
		for _, language := range languages {
			if err := store.AddLanguage(tx, language); err != nil {
				return err
			}
		}
		return nil
	})
}

func languages(t *testing.T, d *db.DB) store.Languages {
	t.Helper()
	all, err := store.NewDirectory(d).Languages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLanguages(t *testing.T) {
	if got := (store.Languages{}).Default(); got != "en" {
		t.Errorf("without languages the default is %q", got)
	}
	clock := newClock()
	dbtest.EachAt(t, clock.Now, func(t *testing.T, d *db.DB) {
		now := d.Now()
		pl := store.Language{Code: "pl", Name: "Polski", Position: 2, UpdatedAt: now}
		nb := store.Language{Code: "nb", Name: "Norsk", Default: true, Position: 2, UpdatedAt: now}
		en := store.Language{Code: "en", Name: "English", Position: 1, UpdatedAt: now}
		addLanguages(t, d, pl, nb, en)
		got := languages(t, d)
		if diff := cmp.Diff(store.Languages{en, nb, pl}, got); diff != "" || got.Default() != "nb" {
			t.Errorf("default %s: %s", got.Default(), diff)
		}
		write(t, d, func(tx *db.Tx) error {
			read, found, err := store.FindLanguage(tx, "pl")
			pl.Content = "{}"
			if diff := cmp.Diff(pl, read); !found || diff != "" {
				t.Errorf("found %t: %s", found, diff)
			}
			return err
		})
	})
}

func TestTheMarkOfTheDefaultLanguageMoves(t *testing.T) {
	dbtest.EachAt(t, newClock().Now, func(t *testing.T, d *db.DB) {
		addLanguages(t, d, store.Language{Code: "en", Default: true}, store.Language{Code: "nb", Default: true})
		if got := languages(t, d); got.Default() != "nb" || got[0].Default {
			t.Errorf("a new default language leaves %v", got)
		}
		change := func(l store.Language) (changed store.Language) {
			write(t, d, func(tx *db.Tx) (err error) {
				changed, err = store.ChangeLanguage(tx, l)
				return err
			})
			return changed
		}
		want := store.Language{
			Code: "en", Name: "English", Default: true, Position: 3, UpdatedAt: d.Now(), Content: `{"a":1}`,
		}
		if diff := cmp.Diff(want, change(want)); diff != "" {
			t.Error(diff)
		}
		if got := languages(t, d); got.Default() != "en" || got[0].Default {
			t.Errorf("a changed default language leaves %v", got)
		}
		if got := change(store.Language{Code: "en", Name: "E"}); !got.Default || got.Content != "{}" {
			t.Errorf("the only default language gave up the mark, or kept its texts: %+v", got)
		}
	})
}

func TestRefusedChangesOfLanguages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		addLanguages(t, d, store.Language{Code: "en", Default: true}, store.Language{Code: "nb"})
		for _, c := range []struct {
			name string
			run  func(tx *db.Tx) error
			want error
		}{
			{"a code twice", func(tx *db.Tx) error {
				return store.AddLanguage(tx, store.Language{Code: "nb", Default: true})
			}, store.ErrTaken},
			{"a change of none", func(tx *db.Tx) error {
				_, err := store.ChangeLanguage(tx, store.Language{Code: "de", Default: true})
				return err
			}, fault.ErrNotFound},
			{"removing none", func(tx *db.Tx) error { return store.RemoveLanguage(tx, "de") }, fault.ErrNotFound},
			{"removing the default", func(tx *db.Tx) error { return store.RemoveLanguage(tx, "en") },
				store.ErrDefaultLanguage},
		} {
			if err := d.Write(t.Context(), c.run); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
		}
		write(t, d, func(tx *db.Tx) error { return store.RemoveLanguage(tx, "nb") })
		if got := languages(t, d); len(got) != 1 || got.Default() != "en" {
			t.Errorf("left are %v", got)
		}
	})
}

// TestOneDefaultLanguageAtOnce makes every language the default concurrently, again and again.
func TestOneDefaultLanguageAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, time.Now, func(t *testing.T, d *db.DB) {
		codes := []string{"en", "nb", "pl", "de"}
		for i, code := range codes {
			addLanguages(t, d, store.Language{Code: code, Default: i == 0})
		}
		for range 10 {
			var all sync.WaitGroup
			for _, code := range codes {
				all.Go(func() {
					err := d.Write(t.Context(), func(tx *db.Tx) error {
						_, err := store.ChangeLanguage(tx, store.Language{Code: code, Default: true})
						return err
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			marked := 0
			for _, l := range languages(t, d) {
				if l.Default {
					marked++
				}
			}
			if marked != 1 {
				t.Fatalf("%d default languages", marked)
			}
		}
	})
}

// TestOneLanguageOfACodeAtOnce adds a language many times concurrently.
func TestOneLanguageOfACodeAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, time.Now, func(t *testing.T, d *db.DB) {
		var added, refused atomic.Int64
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					return store.AddLanguage(tx, store.Language{Code: "nb", Default: true})
				})
				switch {
				case err == nil:
					added.Add(1)
				case errors.Is(err, store.ErrTaken):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if added.Load() != 1 || refused.Load() != 5 {
			t.Errorf("added %d times, refused %d times", added.Load(), refused.Load())
		}
	})
}

func TestFurtherLanguages(t *testing.T) {
	languages := store.Languages{{Code: "en", Default: true}, {Code: "pl"}}
	submitted := []string{"pl"}
	for i := range store.TranslationLimit {
		submitted = append(submitted, fmt.Sprint("de_", i))
	}
	if codes, ok := languages.With(submitted); !ok || len(codes) != 2+store.TranslationLimit {
		t.Errorf("as many as may be: %t, %d languages", ok, len(codes))
	}
	if codes, ok := languages.With(append(submitted, "fr")); ok || len(codes) != 2+store.TranslationLimit {
		t.Errorf("one more: %t, %d languages", ok, len(codes))
	}
}
