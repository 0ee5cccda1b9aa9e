// Package shoptest opens shops for tests: stores with levels.
package shoptest

import (
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Shop is a store in a database of a test, which fails when an operation fails.
type Shop struct {
	testing.TB
	DB     *db.DB
	Store  *store.Store
	Levels []string // ids, in the order given to Open
}

// Open creates a store with levels. edit changes its settings, nil leaves the defaults.
func Open(t testing.TB, d *db.DB, code string, edit func(*store.Settings), levels ...level.Level) *Shop {
	t.Helper()
	s := &Shop{TB: t, DB: d}
	settings := store.DefaultSettings()
	if edit != nil {
		edit(&settings)
	}
	s.Write(func(tx *db.Tx) (err error) {
		s.Store, err = store.Create(tx, store.New{Code: code, Name: "Shop", Currency: "EUR", Settings: settings})
		if err != nil {
			return err
		}
		for _, draft := range levels {
			made, err := level.Create(tx, s.Store, draft)
			if err != nil {
				return err
			}
			s.Levels = append(s.Levels, made.ID)
		}
		return nil
	})
	return s
}

// InWarsaw is an edit for Open.
func InWarsaw(settings *store.Settings) { settings.Timezone = "Europe/Warsaw" }

// Level is an active level with an English name that customers reach at the value, in whole units.
func Level(name string, from int64) level.Level {
	return level.Level{
		Active: true, ConditionValue: decimal.Whole(from).Money(), Reward: level.Reward{Name: name, Code: name},
		Translations: []level.Translation{{Locale: "en", Name: name}},
	}
}

// Write runs an operation.
func (s *Shop) Write(run func(tx *db.Tx) error) {
	s.Helper()
	if err := s.DB.Write(s.Context(), run); err != nil {
		s.Fatal(err)
	}
}

// Read runs a read.
func (s *Shop) Read(run func(tx *db.Tx) error) {
	s.Helper()
	if err := s.DB.Read(s.Context(), run); err != nil {
		s.Fatal(err)
	}
}

// Configure changes the settings of the store.
func (s *Shop) Configure(change func(settings *store.Settings)) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		if s.Store, err = store.Lock(tx, s.Store.Key); err != nil {
			return err
		}
		change(&s.Store.Settings)
		return store.Update(tx, s.Store)
	})
}
