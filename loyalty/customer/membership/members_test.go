package membership

import (
	"encoding/json"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer/customertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

func TestPointsMoveMembersAndTell(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := customertest.NewShop(t, d, "SHOP")
		s.Store.Settings.TierAssignType = store.TierPoints
		id := s.Register(customertest.Ida()).ID
		next := int64(len(s.Events(1)) + 1)
		for _, step := range []struct {
			earned  int64
			members [3]int64
			events  int
		}{{499, [3]int64{1, 0, 0}, 0}, {500, [3]int64{0, 1, 0}, 1}, {500, [3]int64{0, 1, 0}, 0}, {0, [3]int64{0, 1, 0}, 0}} {
			s.Write(func(tx *db.Tx) error {
				members, of, err := LockOne(tx, s.Store, id)
				if err != nil {
					return err
				}
				of.Wallet.Earned = decimal.Whole(step.earned)
				members.PointsChanged(of)
				return members.Save()
			})
			all, _, err := event.List(t.Context(), d, next, 10, false)
			if err != nil {
				t.Fatal(err)
			}
			next += int64(len(all))
			if got := s.Members(); got != step.members || len(all) != step.events {
				t.Errorf("with %d points: members %v, %d events", step.earned, got, len(all))
			}
			for _, e := range all {
				var payload struct{ LevelID, OldLevelID struct{ LevelID string } }
				if err := json.Unmarshal(e.Payload, &payload); err != nil || payload.LevelID.LevelID != s.Gold ||
					payload.OldLevelID.LevelID != s.Bronze || e.Type != "Platform.Domain.User.Event.CustomerWasMovedToLevel" {
					t.Errorf("%s %s, %v", e.Type, e.Payload, err)
				}
			}
		}
	})
}
