package journey

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// The states of entries.
const (
	Waiting = "waiting" // until it is due
	Sent    = "sent"    // the message was queued, with the gift
	Skipped = "skipped" // there was no message and no gift
)

// States lists the states of entries.
var States = []string{Waiting, Sent, Skipped}

// Why an entry was skipped.
const (
	reasonOff         = "off"         // the journey is turned off
	reasonCustomer    = "customer"    // who is not active any more
	reasonUnreachable = "unreachable" // no agreement or no address
	reasonCondition   = "condition"   // in none of the levels or segments
	reasonOver        = "over"        // the occasion is over, such as after a purchase
	reasonCapped      = "capped"      // enough messages lately
	reasonGift        = "gift"        // the reward cannot be given, such as when it is sold out
	reasonBefore      = "before"      // it was so already when the journey was turned on
)

// Entry is a customer in a journey, on one occasion.
type Entry struct {
	StoreKey   int64
	JourneyID  string
	CustomerID string
	Occasion   string // what happens once, such as the year of a birthday
	ID         string
	State      string
	Reason     string // why it is skipped
	DueAt      time.Time
	EnteredAt  time.Time
	DoneAt     time.Time
	TransferID string    // the points that were given
	CouponID   string    // the coupon that was given
	SettleAt   time.Time // when its messages are looked at; zero once they are in the results
}

var entryTable = db.NewTable("journey_entries", "store_id, journey_id, customer_id, occasion", func(e *Entry) db.Row {
	return db.Row{
		"store_id", &e.StoreKey, "journey_id", &e.JourneyID, "customer_id", &e.CustomerID, "occasion", &e.Occasion,
		"entry_id", &e.ID, "state", &e.State, "reason", &e.Reason, "due_at", db.Time(&e.DueAt),
		"entered_at", db.Time(&e.EnteredAt), "done_at", db.Time(&e.DoneAt), "transfer_id", &e.TransferID,
		"coupon_id", &e.CouponID, "settle_at", db.Time(&e.SettleAt),
	}
})

// enter adds customers to a journey. Those who were in it on the same occasion are left out.
func enter(tx *db.Tx, j *Journey, found ...finding) error {
	entries := make([]*Entry, len(found))
	for i, f := range found {
		entries[i] = &Entry{
			StoreKey: j.StoreKey, JourneyID: j.ID, CustomerID: f.customerID, Occasion: f.occasion, ID: tx.NewID(),
			State: Waiting, Reason: f.reason, DueAt: f.dueAt, EnteredAt: tx.Now(),
		}
	}
	return entryTable.InsertOr(tx, "ON CONFLICT (store_id, journey_id, customer_id, occasion) DO NOTHING", entries...)
}

// due returns the entries of a journey that are due, the oldest first.
func due(tx *db.Tx, storeKey int64, journeyID string, limit int) ([]Entry, error) {
	return entryTable.All(tx, `SELECT * FROM journey_entries
		WHERE store_id = ? AND journey_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`,
		storeKey, journeyID, tx.Now().UnixMicro(), limit)
}

// lockWaiting locks those of some entries of a journey that still wait.
func lockWaiting(tx *db.Tx, storeKey int64, entries []Entry) ([]Entry, error) {
	rows := make([][]any, len(entries))
	for i := range entries {
		rows[i] = []any{entries[i].JourneyID, entries[i].CustomerID, entries[i].Occasion}
	}
	return entryTable.All(tx, `SELECT e.* FROM ? AS v (store, journey, customer, at)
		CROSS JOIN journey_entries e
		WHERE e.store_id = v.store AND e.journey_id = v.journey AND e.customer_id = v.customer AND e.occasion = v.at
			AND e.state = 'waiting' ORDER BY e.customer_id, e.occasion FOR UPDATE OF e`,
		tx.AmongRows(storeKey, []string{"TEXT", "TEXT", "TEXT"}, rows...))
}

func saveEntries(tx *db.Tx, entries []Entry) error {
	return entryTable.Update(tx, "state, reason, due_at, done_at, transfer_id, coupon_id, settle_at",
		db.Pointers(entries)...)
}

// recent returns those of customers who entered a journey since a time. Entries that were skipped do not count.
func recent(tx *db.Tx, j *Journey, since time.Time, customerIDs []string) (map[string]bool, error) {
	rows := make([][]any, len(customerIDs))
	for i, id := range customerIDs {
		rows[i] = []any{j.ID, id}
	}
	found := map[string]bool{}
	if len(rows) == 0 {
		return found, nil
	}
	return found, db.Each(tx, func(id *string) []any { return []any{id} }, func(id string) { found[id] = true },
		`SELECT e.customer_id FROM ? AS v (store, journey, customer) CROSS JOIN journey_entries e
		WHERE e.store_id = v.store AND e.journey_id = v.journey AND e.customer_id = v.customer AND e.entered_at >= ?
			AND e.state <> 'skipped'`,
		tx.AmongRows(j.StoreKey, []string{"TEXT", "TEXT"}, rows...), since.UnixMicro())
}

// exportedAtOnce is the page size of Export.
const exportedAtOnce = 200

// exported is the JSON of an entry in the export of personal data.
type exported struct {
	JourneyID string  `json:"journeyId"`
	Occasion  string  `json:"occasion"`
	State     string  `json:"state"`
	EnteredAt string  `json:"enteredAt"`
	DoneAt    *string `json:"doneAt,omitempty"`
}

// Export returns a page of the journeys of a customer for the personal data export.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, err := entryTable.All(tx, `SELECT * FROM journey_entries
		WHERE store_id = ? AND customer_id = ? AND entry_id > ? ORDER BY entry_id LIMIT ?`,
		s.Key, customerID, after, exportedAtOnce)
	for i := range found {
		items = append(items, found[i].export(s))
	}
	if len(found) == exportedAtOnce {
		next = found[exportedAtOnce-1].ID
	}
	return items, next, err
}

// Forget deletes which journeys a customer has yet to go through. It needs only one step.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	_, err = tx.Exec(`DELETE FROM journey_entries WHERE store_id = ? AND customer_id = ? AND state = 'waiting'`,
		s.Key, customerID)
	return "", err
}

func (e *Entry) export(s *store.Store) exported {
	return exported{
		e.JourneyID, e.Occasion, e.State, api.Timestamp(e.EnteredAt, s.Zone), api.OptionalTimestamp(e.DoneAt, s.Zone),
	}
}
