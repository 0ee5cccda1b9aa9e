package job

import (
	"context"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// After a clock that was days ahead is corrected, no lease and no schedule blocks jobs for days.
func TestClockIsSetBack(t *testing.T) {
	onNodes(t, func(t *testing.T, clock *dbtest.Clock, nodes [2]*db.DB) {
		const wrong = 3 * 24 * time.Hour
		runs := 0
		r := NewRunner(nodes[0], "node", Job{Name: "often", Every: time.Minute, Run: func(context.Context) (int64, error) {
			runs++
			return 0, nil
		}})
		runDue(t, r)
		clock.Advance(wrong)
		runDue(t, r)
		clock.Advance(time.Minute)
		if held, err := NewLease(nodes[0], "relay", "crashed").Hold(t.Context()); !held || err != nil {
			t.Fatalf("held: %v, %v", held, err)
		}
		err := nodes[0].Write(t.Context(), func(tx *db.Tx) error { // a run that crashed
			_, _, err := claim(tx, "often", "crashed", tx.Now().Add(LeaseTerm))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(-wrong - time.Minute)
		runDue(t, r)
		clock.Advance(time.Minute)
		runDue(t, r)
		if runs != 3 {
			t.Errorf("%d runs, want 3: at first, ahead, and a minute after the clock was set right", runs)
		}
		if held, err := NewLease(nodes[1], "relay", "other").Hold(t.Context()); !held || err != nil {
			t.Errorf("held: %v, %v", held, err)
		}
	})
}
