package store

import "punchcard/platform/db"

const columns = "store_id, id, code, name, currency, active, settings, created_at"

func (s *Store) row() []any {
	return []any{
		&s.Key, &s.ID, &s.Code, &s.Name, &s.Currency, &s.Active, db.JSON(&s.Settings), db.Time(&s.CreatedAt),
	}
}

func nextKey(tx *db.Tx) (int64, error) {
	last, err := db.Value[int64](tx, `SELECT COALESCE(MAX(store_id), 0) FROM stores`)
	return last + 1, err
}

func insert(tx *db.Tx, s *Store) error { return tx.Insert("stores", columns, "", s.row()) }

// ByCode finds a store by its code, active or not; the code's case counts.
func ByCode(tx *db.Tx, code string) (*Store, bool, error) {
	s, found, err := db.One(tx, (*Store).row, `SELECT `+columns+` FROM stores WHERE code = $1`, code)
	if err != nil || !found {
		return nil, false, err
	}
	return &s, true, s.locate()
}

// All lists the stores in order of creation; there are as many as a merchant has shops.
func All(tx *db.Tx) ([]Store, error) {
	stores, err := db.All(tx, (*Store).row, `SELECT `+columns+` FROM stores ORDER BY store_id`)
	for i := range stores {
		if err == nil {
			err = stores[i].locate()
		}
	}
	return stores, err
}

func (l *Language) row() []any { return []any{&l.Code, &l.Name, &l.Default, &l.Position} }

func insertLanguage(tx *db.Tx, l Language) error {
	row := append(l.row(), "{}", tx.Now.UnixMicro())
	return tx.Insert("languages", "code, name, is_default, position, content, updated_at", "", row)
}

// AllLanguages lists the languages in their order.
func AllLanguages(tx *db.Tx) (Languages, error) {
	return db.All(tx, (*Language).row,
		`SELECT code, name, is_default, position FROM languages ORDER BY position, code`)
}

func takeNumbers(tx *db.Tx, counter string, n int) (first int64, err error) {
	last, err := db.Value[int64](tx,
		`UPDATE counters SET value = value + $2 WHERE name = $1 RETURNING value`, counter, n)
	return last - int64(n) + 1, err
}

// BeginDemo notes that the demonstration program is being loaded.
func BeginDemo(tx *db.Tx) error { return tx.Insert("counters", "name, value", "", []any{"demo", 0}) }

// EndDemo notes that the demonstration program is complete.
func EndDemo(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE counters SET value = 1 WHERE name = 'demo'`)
	return err
}

// DemoUnfinished tells whether loading the demonstration program was cut off.
func DemoUnfinished(tx *db.Tx) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM counters WHERE name = 'demo' AND value = 0`)
	return n > 0, err
}
