package purchase

import (
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

// Sellers take a use back for a minute, and only that of the coupon they name.
func TestUsesAreTakenBackForAMinute(t *testing.T) {
	noon := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	dbtest.EachAt(t, func() time.Time { return noon }, func(t *testing.T, d *db.DB) {
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			for _, c := range []struct {
				used bool
				ago  time.Duration
				id   string
				want *fault.Error
			}{
				{true, 0, "a", nil}, {true, UndoTime, "a", nil}, {true, UndoTime + 1, "a", errUseStays},
				{false, 0, "a", errCouponUnused}, {true, 0, "b", errCouponUnused},
			} {
				var m match
				m.CouponID, m.Used, m.UsedAt = "a", c.used, noon.Add(-c.ago)
				found, problem := takenBack(tx, []match{m}, c.id)
				if problem != c.want || (found == nil) != (c.want != nil) {
					t.Errorf("%+v: %v, %v", c, found, problem)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
