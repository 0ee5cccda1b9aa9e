package customer

import (
	"errors"
	"testing"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func TestSetLabelsRecordsOnlyChanges(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.register(ida()).ID
		next := int64(len(s.events(1)) + 1)
		for i, step := range []struct {
			labels []Label
			events int
		}{{nil, 0}, {[]Label{}, 0}, {[]Label{{"a", "b"}}, 1}, {[]Label{{"a", "b"}}, 0}, {[]Label{}, 1}} {
			err := s.lockedDo(id, func(tx *db.Tx, c *Customer, _ points.Account) error {
				return SetLabels(tx, s.Store, c, step.labels)
			})
			if err != nil {
				t.Fatal(err)
			}
			got := s.events(next)
			next += int64(len(got))
			if len(got) != step.events || len(s.find(id).Labels) != len(step.labels) {
				t.Errorf("step %d: events %v, labels %v", i, got, s.find(id).Labels)
			}
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, _, err := Lock(tx, s.Store, db.NewID())
			return err
		})
		if !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("labels of nobody: %v", err)
		}
	})
}
