// Package bulk does one thing to many customers: it labels them, gives or takes points, or adds them to a segment, in
// the background. See docs/behaviour/bulk-actions.md.
package bulk

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The states of an action.
const (
	Running  = "running"
	Finished = "finished"
	Stopped  = "stopped"
	Undoing  = "undoing"
	Undone   = "undone"
)

// States lists the states.
var States = []string{Running, Finished, Stopped, Undoing, Undone}

const (
	// CustomersLimit is the number of customers of an action that a filter selects.
	CustomersLimit = 100_000
	// ChosenLimit is the number of customers that an action can name, and of matches of a search.
	ChosenLimit = 1_000
	// Retention is for how long actions that have ended are kept.
	Retention = 90 * 24 * time.Hour

	forgottenAtOnce = 200 // actions whose comments one transaction clears
)

// Action is something that is done to many customers.
type Action struct {
	StoreKey   int64
	ID         string
	Kind       string
	State      string
	Details    Details
	Selection  Selection
	Total      int64  // customers when the action began
	After      string // the last customer who was visited, or whose part was undone
	Visited    int64
	Changed    int64
	Undone     int64
	Remaining  int64 // changed ones that undoing has left, or could not undo as a whole
	CreatedBy  Author
	CreatedAt  time.Time
	FinishedAt time.Time

	everybody bool // a filter that selects all customers is meant so; only while the action is read
}

// Author is the administrator who began an action.
type Author struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Permanent bool   `json:"permanent,omitempty"` // identified by a permanent token
}

// Details hold the label, the points or the segment of an action. Its kind decides which of them are set.
type Details struct {
	Label     *customer.Label `json:"label,omitempty"`
	Points    points.Amount   `json:"points,omitzero"`
	Comment   string          `json:"comment,omitempty"` // of the transfers of points
	SegmentID string          `json:"segmentId,omitempty"`
}

// Selection is the customers of an action: chosen ones, or those whom a filter selects when the action comes to them.
type Selection struct {
	Customers []string `json:"customers,omitempty"` // distinct ids, sorted
	Filter    string   `json:"filter,omitempty"`    // query of the list of customers
	All       bool     `json:"all,omitempty"`       // by the filter, which may be empty
}

var table = db.NewTable("bulk_actions", "store_id, action_id", func(a *Action) db.Row {
	return db.Row{
		"store_id", &a.StoreKey, "action_id", &a.ID, "kind", &a.Kind, "state", &a.State, "details", db.JSON(&a.Details),
		"selection", db.JSON(&a.Selection), "total", &a.Total, "after_id", &a.After, "visited", &a.Visited,
		"changed", &a.Changed, "undone", &a.Undone, "remaining", &a.Remaining, "created_by", db.JSON(&a.CreatedBy),
		"created_at", db.Time(&a.CreatedAt), "finished_at", db.Time(&a.FinishedAt),
	}
})

const oneAction = `SELECT * FROM bulk_actions WHERE store_id = ? AND action_id = ?`

func findAction(tx *db.Tx, storeKey int64, id string) (*Action, error) {
	return readAction(tx, oneAction, storeKey, id)
}

// lockAction is findAction with a row lock.
func lockAction(tx *db.Tx, storeKey int64, id string) (*Action, error) {
	return readAction(tx, oneAction+` FOR UPDATE`, storeKey, id)
}

func readAction(tx *db.Tx, query string, storeKey int64, id string) (*Action, error) {
	a, found, err := table.One(tx, query, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &a, err
}

// save writes all that can change.
func save(tx *db.Tx, a *Action) error {
	return table.Update(tx, "state, selection, after_id, visited, changed, undone, remaining, finished_at", a)
}

func listPage(tx *db.Tx, storeKey int64, limit, offset int) (found []Action, total int64, err error) {
	if total, err = db.Value[int64](tx, `SELECT COUNT(*) FROM bulk_actions WHERE store_id = ?`, storeKey); err != nil {
		return nil, 0, err
	}
	found, err = table.All(tx, `SELECT * FROM bulk_actions
		WHERE store_id = ? ORDER BY action_id DESC LIMIT ? OFFSET ?`, storeKey, limit, offset)
	return found, total, err
}

// end ends the action in a state. The filter goes, because it may name somebody.
func (a *Action) end(tx *db.Tx, state string) {
	a.State, a.Selection, a.After, a.FinishedAt = state, Selection{}, "", tx.Now()
}

// Service carries out actions.
type Service struct {
	segments *segment.Service
	wakeups  store.Wakeups
}

// New returns a service.
func New(segments *segment.Service) *Service {
	return &Service{segments, store.NewWakeups()}
}

// filter returns the filter of a selection, at the time when the action began.
func (a *Action) filter(tx *db.Tx, s *store.Store) (customer.Filter, error) {
	query, err := form.ParseQuery(a.Selection.Filter)
	if err != nil {
		return customer.Filter{}, err
	}
	return customerapi.Filter(tx, query, a.CreatedAt, s)
}

// next returns the customers to visit next.
func (svc *Service) next(tx *db.Tx, s *store.Store, a *Action) ([]string, error) {
	if !a.Selection.All {
		from, found := slices.BinarySearch(a.Selection.Customers, a.After)
		if found {
			from++
		}
		return a.Selection.Customers[from:min(len(a.Selection.Customers), from+chunk)], nil
	}
	f, err := a.filter(tx, s)
	if err != nil {
		return nil, err
	}
	q := f.IDs(s.Key).And(`customer_id > ?`, a.After).Add(` ORDER BY customer_id LIMIT ?`, chunk)
	return db.AllValues[string](tx, q.Text(), q.Args()...)
}
