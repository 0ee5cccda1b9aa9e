package store

import "punchcard/platform/db"

// BeginDemo records that the demonstration data is being loaded.
func BeginDemo(tx *db.Tx) error { return tx.Insert("counters", "name, value", "", []any{"demo", 0}) }

// EndDemo records that the demonstration data is complete.
func EndDemo(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE counters SET value = 1 WHERE name = 'demo'`)
	return err
}

// DemoUnfinished returns whether the demonstration data was loaded only in part.
func DemoUnfinished(tx *db.Tx) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM counters WHERE name = 'demo' AND value = 0`)
	return n > 0, err
}
