package store

import (
	"errors"
	"time"

	"punchcard/platform/db"
)

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

// DemoHistory is how far the history of the demonstration is loaded.
type DemoHistory struct {
	Until       time.Time // its last moment
	Done, Steps int64     // zero without a history
}

// Complete returns whether nothing is left to load.
func (h DemoHistory) Complete() bool { return h.Done >= h.Steps }

// ErrDemoStep is the error of a step of the history that is not the next one: another node has done it.
var ErrDemoStep = errors.New("another node has done this step of the demonstration's history")

// BeginDemoHistory records that a history is to be loaded.
func BeginDemoHistory(tx *db.Tx, h DemoHistory) error {
	return tx.Insert("counters", "name, value", "", []any{"demo history until", h.Until.UnixMicro()},
		[]any{"demo history steps", h.Steps}, []any{"demo history done", h.Done})
}

// FindDemoHistory returns how far the history is loaded.
func FindDemoHistory(tx *db.Tx) (h DemoHistory, err error) {
	type row struct {
		name  string
		value int64
	}
	rows, err := db.All(tx, func(r *row) []any { return []any{&r.name, &r.value} },
		`SELECT name, value FROM counters WHERE name LIKE 'demo history %'`)
	for _, r := range rows {
		switch r.name {
		case "demo history until":
			h.Until = time.UnixMicro(r.value).UTC()
		case "demo history steps":
			h.Steps = r.value
		case "demo history done":
			h.Done = r.value
		}
	}
	return h, err
}

// EndDemoStep records that a step of the history is done, in the transaction of the step. An error means that it was
// done before.
func EndDemoStep(tx *db.Tx, step int64) error {
	n, err := tx.Exec(`UPDATE counters SET value = value + 1 WHERE name = 'demo history done' AND value = $1`, step)
	if err == nil && n == 0 {
		err = ErrDemoStep
	}
	return err
}
