package eventlog

import (
	"math"
	"strconv"

	"punchcard/core/feature"
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

// timeline returns at most limit events about a customer and their account before the one with the id, or the newest
// ones, as the caller may see them. It leaves out events whose content purchases and transfers show.
func timeline(r *feature.TimelineReader, before string, limit int) ([]feature.TimelineEntry, error) {
	accounts, err := points.AccountIDs(r.Tx, r.Store.Key, r.CustomerID)
	if err != nil {
		return nil, err
	}
	about := []string{r.CustomerID}
	if account := accounts[r.CustomerID]; account != "" {
		about = append(about, account)
	}
	last := int64(math.MaxInt64)
	if n, err := strconv.ParseInt(before, 10, 64); err == nil {
		last = n
	}
	found, err := event.AboutBefore(r.Tx, r.Store.Key, last, limit, about...)
	entries := make([]feature.TimelineEntry, len(found))
	for i := range found {
		e := &found[i]
		shown, err := viewFor(r.Caller, e)
		if err != nil {
			return nil, err
		}
		id := strconv.FormatInt(e.ID, 10)
		entries[i] = feature.TimelineEntry{ID: id, At: e.RecordedAt, View: shown, Older: id}
	}
	return entries, err
}
