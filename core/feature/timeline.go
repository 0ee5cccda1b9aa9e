package feature

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// TimelineSource reads one kind of entries of a customer's timeline, newest first.
type TimelineSource struct {
	Kind     string
	Resource string // on which an administrator needs VIEW
	Rank     int    // lower ones come first among entries of the same moment
	// HistoryOnly leaves the entries out of the timeline, but not of the history.
	HistoryOnly bool
	// Page returns at most limit entries of a customer that a key names, or the newest ones if the key is empty. Keys
	// are the member Older of entries.
	Page func(r *TimelineReader, key string, limit int) ([]TimelineEntry, error)
}

// TimelineReader is one request for a timeline.
type TimelineReader struct {
	Tx         *db.Tx
	Store      *store.Store
	Caller     *access.Caller
	CustomerID string
}

// TimelineEntry is something that happened to a customer.
type TimelineEntry struct {
	ID   string
	At   time.Time
	View any // what the lists of its feature show of it

	// Older is the key of the entries before this one, for the source that returned it. Empty means that there are none.
	Older string
}
