package store

import (
	"time"

	"punchcard/core/config"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

var table = db.NewConfiguration("stores", "store_id", func(s *Store) db.Row {
	return db.Row{
		"store_id", &s.Key, "id", &s.ID, "code", &s.Code, "name", &s.Name, "currency", &s.Currency, "active", &s.Active,
		"settings", db.JSON(&s.Settings), "created_at", db.Time(&s.CreatedAt), "sandbox", &s.Sandbox,
		"clock_ahead", (*microseconds)(&s.Ahead), "name_order", db.Derived(&s.Name, search.Fold),
	}
})

func insertStore(tx *db.Tx, s *Store) error {
	return table.Insert(tx, s)
}

// ByCode finds a store, active or not, by its code, whose case counts.
func ByCode(tx *db.Tx, code string) (*Store, bool, error) {
	return findStore(tx, `SELECT * FROM stores WHERE code = ?`, code)
}

// ByID finds a store, active or not, by its id.
func ByID(tx *db.Tx, id string) (*Store, bool, error) {
	return findStore(tx, `SELECT * FROM stores WHERE id = ?`, id)
}

// ByKey finds a store, active or not, by its internal key.
func ByKey(tx *db.Tx, key int64) (*Store, bool, error) {
	return findStore(tx, `SELECT * FROM stores WHERE store_id = ?`, key)
}

// Lock reads a store with a row lock. It serializes changes of the store, and of values that are unique among its
// sellers and points of sale. The operation then sees the configuration as it is under the lock.
func Lock(tx *db.Tx, key int64) (*Store, error) { return hold(tx, key, "UPDATE") }

// Share reads a store with a shared row lock. Operations that share it do not wait for each other, but for Lock.
func Share(tx *db.Tx, key int64) (*Store, error) { return hold(tx, key, "SHARE") }

// Sharing returns the query of Share, and a function that returns the store once it was run.
func Sharing(key int64) (db.Query, func() (*Store, error)) { return locking(key, "SHARE") }

func hold(tx *db.Tx, key int64, how string) (*Store, error) {
	query, shared := locking(key, how)
	if err := tx.Run(query, config.VersionsAgain(tx, key)); err != nil {
		return nil, err
	}
	return shared()
}

func locking(key int64, how string) (db.Query, func() (*Store, error)) {
	var s Store
	query := table.Select(func(found Store) { s = found }, `SELECT * FROM stores WHERE store_id = ? FOR `+how, key)
	return query, func() (*Store, error) {
		if s.ID == "" {
			return nil, fault.ErrNotFound
		}
		return &s, s.locate()
	}
}

func findStore(tx *db.Tx, query string, by any) (*Store, bool, error) {
	s, found, err := table.One(tx, query, by)
	if err != nil || !found {
		return nil, false, err
	}
	return &s, true, s.locate()
}

// Update stores the name, the currency, the activity and the settings of a locked store.
func Update(tx *db.Tx, s *Store) error {
	return table.Update(tx, "name, active, settings, name_order, currency", s)
}

// All lists all stores in order of creation.
func All(tx *db.Tx) ([]Store, error) { return List(tx, "store_id") }

// Keys lists the keys of all stores, active or not.
func Keys(tx *db.Tx) ([]int64, error) {
	return db.AllValues[int64](tx, `SELECT store_id FROM stores ORDER BY store_id`)
}

// Clocks returns the present times of all stores.
func Clocks(tx *db.Tx) (map[int64]time.Time, error) {
	clocks := map[int64]time.Time{}
	return clocks, db.Each(tx, func(s *Store) []any { return []any{&s.Key, (*microseconds)(&s.Ahead)} },
		func(s Store) { clocks[s.Key] = s.Tx(tx).Now() }, `SELECT store_id, clock_ahead FROM stores`)
}

// List lists all stores.
func List(tx *db.Tx, order db.Order) ([]Store, error) {
	stores, err := table.All(tx, `SELECT * FROM stores ORDER BY ?`, order)
	for i := range stores {
		if err == nil {
			err = stores[i].locate()
		}
	}
	return stores, err
}

var languageTable = db.NewConfiguration("languages", "code", func(l *Language) db.Row {
	return db.Row{
		"code", &l.Code, "name", &l.Name, "is_default", &l.Default, "position", &l.Position,
		"updated_at", db.Time(&l.UpdatedAt), "content", &l.Content,
	}
}).Apart("content")

// LanguagesLock is the name of the lock that serializes changes of languages.
const LanguagesLock = "languages"

func lockLanguages(tx *db.Tx) error { return tx.Lock(LanguagesLock) }

func updateLanguage(tx *db.Tx, l *Language) error {
	return languageTable.Update(tx, "name, is_default, position, updated_at, content", l)
}

var languages = config.NewPart(func(tx *db.Tx, _ int64) (Languages, error) {
	return languageTable.All(tx, `SELECT * FROM languages ORDER BY position, code`)
}, languageTable.Schema)

func unmarkOtherLanguages(tx *db.Tx, code string) error {
	_, err := tx.Exec(`UPDATE languages SET is_default = FALSE WHERE is_default = TRUE AND code <> ?`, code)
	return err
}

func deleteLanguage(tx *db.Tx, code string) error {
	return languageTable.Delete(tx, &Language{Code: code})
}

// AllLanguages lists the languages in their order, without their content. Nobody may change the list.
func AllLanguages(tx *db.Tx) (Languages, error) { return languages.Of(tx, db.Installation) }

// FindLanguage finds a language with its content by its code, whose case counts.
func FindLanguage(tx *db.Tx, code string) (Language, bool, error) {
	return languageTable.One(tx, `SELECT *, content FROM languages WHERE code = ?`, code)
}

func takeNumbers(tx *db.Tx, counter string, n int) (first int64, err error) {
	last, err := db.Value[int64](tx,
		`UPDATE counters SET value = value + ? WHERE name = ? RETURNING value`, n, counter)
	return last - int64(n) + 1, err
}
