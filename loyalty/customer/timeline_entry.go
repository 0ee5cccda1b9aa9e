package customer

import "time"

// TimelineEntry is something that happened to a customer.
type TimelineEntry struct {
	ID   string
	At   time.Time
	View any // what the lists of its feature show of it

	// Older is the key of the entries before this one, for the source that returned it. Empty means that there are none.
	Older string
}
