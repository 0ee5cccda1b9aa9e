package eventlog

import (
	"math"
	"strconv"

	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// Timeline returns at most limit events about a customer and their account before the one with the id, or the newest
// ones, as the caller may see them. It leaves out events whose content purchases and transfers show.
func Timeline(tx *db.Tx, s *store.Store, caller *access.Caller, customerID, before string, limit int) (
	[]customer.TimelineEntry, error) {
	accounts, err := points.AccountIDs(tx, s.Key, customerID)
	if err != nil {
		return nil, err
	}
	about := []string{customerID}
	if account := accounts[customerID]; account != "" {
		about = append(about, account)
	}
	last := int64(math.MaxInt64)
	if n, err := strconv.ParseInt(before, 10, 64); err == nil {
		last = n
	}
	found, err := event.AboutBefore(tx, s.Key, last, limit, about...)
	entries := make([]customer.TimelineEntry, len(found))
	for i := range found {
		e := &found[i]
		shown, err := viewFor(caller, e)
		if err != nil {
			return nil, err
		}
		id := strconv.FormatInt(e.ID, 10)
		entries[i] = customer.TimelineEntry{ID: id, At: e.RecordedAt, View: shown, Older: id}
	}
	return entries, err
}
