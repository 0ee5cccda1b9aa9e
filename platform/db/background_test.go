package db_test

import (
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Background work pauses for as long as each step took.
func TestBackgroundRests(t *testing.T) {
	const took = 30 * time.Millisecond
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := db.InBackground(t.Context())
		for name, do := range map[string]func(run func(*db.Tx) error) error{
			"read":  func(run func(*db.Tx) error) error { return d.Read(ctx, run) },
			"write": func(run func(*db.Tx) error) error { return d.Write(ctx, run) },
		} {
			began := time.Now()
			err := do(func(*db.Tx) error {
				<-time.After(took)
				return nil
			})
			if all := time.Since(began); err != nil || all < 2*took {
				t.Errorf("%s: %v after %v", name, err, all)
			}
		}
	})
}
