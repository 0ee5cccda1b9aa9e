package transfer

import (
	"punchcard/core/feature"
	"punchcard/loyalty/points"
)

// timeline returns at most limit transfers of a customer from the one with the id backwards, or from the newest one.
func timeline(r *feature.TimelineReader, from string, limit int) ([]feature.TimelineEntry, error) {
	found, _, err := points.Before(r.Tx, r.Store.Key, r.CustomerID, from, limit)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	views, err := viewsOf(r.Tx, r.Store, found)
	entries := make([]feature.TimelineEntry, len(views))
	for i := range views {
		t := &found[i]
		entries[i] = feature.TimelineEntry{ID: t.ID, At: t.CreatedAt, View: views[i], Older: t.PreviousID}
	}
	return entries, err
}
