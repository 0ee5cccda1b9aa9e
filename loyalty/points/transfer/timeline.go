package transfer

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Timeline returns at most limit transfers of a customer from the one with the id backwards, or from the newest one.
func (h Hooks) Timeline(tx *db.Tx, s *store.Store, customerID, from string, limit int) (
	[]customer.TimelineEntry, error) {
	found, _, err := points.Before(tx, s.Key, customerID, from, limit)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	views, err := h.views(tx, s, found)
	entries := make([]customer.TimelineEntry, len(views))
	for i := range views {
		t := &found[i]
		entries[i] = customer.TimelineEntry{ID: t.ID, At: t.CreatedAt, View: views[i], Older: t.PreviousID}
	}
	return entries, err
}
