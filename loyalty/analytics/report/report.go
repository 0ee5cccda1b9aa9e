// Package report answers questions about a period for which no sums are stored: it goes through all customers or
// coupons of a store in the background. See docs/behaviour/reports.md.
package report

import (
	"encoding/json"
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// The states of reports.
const (
	Waiting   = "waiting"
	Running   = "running"
	Finished  = "finished"
	Cancelled = "cancelled"
)

// States lists the states.
var States = []string{Waiting, Running, Finished, Cancelled}

// Report is a report of a store.
type Report struct {
	StoreKey   int64
	ID         string
	Kind       string
	From, To   calendar.Day // both included
	State      string
	Read       int64 // customers or coupons so far
	Total      int64 // an estimate
	Position   string
	Sums       json.RawMessage // of the kind
	CreatedBy  Author
	CreatedAt  time.Time
	FinishedAt time.Time

	owner      string
	leaseUntil time.Time
}

// Author is the administrator who asked for a report.
type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// span returns the first moment of the period, and the one after its last.
func (r *Report) span(zone *time.Location) (from, before time.Time) {
	return r.From.Start(zone), (r.To + 1).Start(zone)
}

// days returns the length of the period.
func (r *Report) days() calendar.Day { return r.To - r.From + 1 }

// kind is a kind of report. To add one, add a row to kinds.
type kind struct {
	name string
	// estimate returns about how many rows the report reads.
	estimate func(tx *db.Tx, s *store.Store) (int64, error)
	begin    func() sums
}

// sums hold the results of a report so far. They are stored as JSON, and their size must not grow with the number of
// customers or coupons.
type sums interface {
	// read adds the rows that follow the position, some hundreds of them, and returns their number, the position of the
	// last one, and whether there may be more.
	read(tx *db.Tx, s *store.Store, r *Report) (n int64, position string, more bool, err error)
}

var kinds = []kind{
	{"customers", estimateCustomers, func() sums { return newCustomerSums() }},
	{"rewards", estimateCoupons, func() sums { return newRewardSums() }},
}

func kindNames() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}

func findKind(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// found returns what a report has found so far.
func (k *kind) found(r *Report) (sums, error) {
	s := k.begin()
	if len(r.Sums) == 0 {
		return s, nil
	}
	return s, json.Unmarshal(r.Sums, s)
}

var reports = db.NewTable("reports", "store_id, report_id", func(r *Report) db.Row {
	return db.Row{
		"store_id", &r.StoreKey, "report_id", &r.ID, "kind", &r.Kind, "from_day", (*int64)(&r.From),
		"to_day", (*int64)(&r.To), "state", &r.State, "rows_read", &r.Read, "rows_total", &r.Total,
		"position", &r.Position, "sums", db.JSON(&r.Sums), "created_by", db.JSON(&r.CreatedBy),
		"created_at", db.Time(&r.CreatedAt), "finished_at", db.Time(&r.FinishedAt), "owner", &r.owner,
		"lease_until", db.Time(&r.leaseUntil),
	}
})

const oneReport = `SELECT * FROM reports WHERE store_id = ? AND report_id = ?`

func findReport(tx *db.Tx, storeKey int64, id string) (*Report, error) {
	return readReport(tx, oneReport, storeKey, id)
}

// lockReport is findReport with a row lock.
func lockReport(tx *db.Tx, storeKey int64, id string) (*Report, error) {
	return readReport(tx, oneReport+` FOR UPDATE`, storeKey, id)
}

func readReport(tx *db.Tx, query string, storeKey int64, id string) (*Report, error) {
	r, found, err := reports.One(tx, query, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &r, err
}

// allReports returns the reports of a store, the newest first. There are Limit at most.
func allReports(tx *db.Tx, storeKey int64) ([]Report, error) {
	return reports.All(tx, `SELECT * FROM reports
		WHERE store_id = ? ORDER BY report_id DESC`, storeKey)
}

// save writes what changes while a report is computed.
func save(tx *db.Tx, r *Report) error {
	return reports.Update(tx, "state, rows_read, position, sums, finished_at, owner, lease_until", r)
}
