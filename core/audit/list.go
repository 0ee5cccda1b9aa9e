package audit

import (
	"time"

	"punchcard/platform/db"
)

// CountLimit is where the totals of lists stop counting.
const CountLimit = 10_000

// Filter selects entries of a list. Empty fields mean all.
type Filter struct {
	ID         string
	Event      string
	EntityType string
	EntityID   string
	CustomerID string // whom the entry is about, without their own purchases
	Username   string
	From, To   time.Time // From is included, To is not
}

// fromClause returns FROM and WHERE of the entries. Conditions repeat those of the partial indexes.
func (f *Filter) fromClause(archived time.Time) *db.SQL {
	from := f.From
	if from.Before(archived) {
		from = archived
	}
	q := db.NewSQL("FROM audit_entries WHERE created_at >= ?", micros(from))
	if !f.To.IsZero() {
		q.And("created_at < ?", f.To.UnixMicro())
	}
	if f.ID != "" {
		q.And("audit_id = ?", f.ID)
	}
	if f.EntityID != "" {
		q.And("entity_id <> '' AND entity_id = ?", f.EntityID)
	}
	if f.CustomerID != "" {
		q.And("customer_id <> '' AND customer_id = ?", f.CustomerID)
	}
	if f.Username != "" {
		q.And("username <> '' AND username = ?", f.Username)
	}
	event := f.Event
	switch {
	case f.EntityType == Purchase && event != "" && event != BuyCampaign,
		f.EntityType != "" && f.EntityType != Purchase && event == BuyCampaign:
		q.And("1 = 0")
	case f.EntityType == Purchase:
		event = BuyCampaign
	case f.EntityType != "":
		q.And("entity_type <> '' AND entity_type = ?", f.EntityType)
	}
	if event != "" {
		q.And("event_type = ?", event)
	}
	return q
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// List returns a page of the entries that are in no archive, the newest first unless oldest is set. total stops
// counting at CountLimit.
func List(tx *db.Tx, f Filter, oldest bool, limit, offset int) (found []Entry, total int, err error) {
	archived, err := archivedBefore(tx)
	if err != nil {
		return nil, 0, err
	}
	from, order := f.fromClause(archived), newestFirst
	if oldest {
		order = oldestFirst
	}
	page := from.Select("*").Add(" ORDER BY ? LIMIT ? OFFSET ?", order, limit, offset)
	if found, err = table.All(tx, "?", page); err != nil {
		return nil, 0, err
	}
	fillMissing(found)
	counted := db.NewSQL("SELECT COUNT(*) FROM (? LIMIT ?) AS listed", from.Select("1"), CountLimit)
	total, err = db.Value[int](tx, counted.Text(), counted.Args()...)
	return found, total, err
}

const (
	newestFirst db.Order = "created_at DESC, audit_id DESC"
	oldestFirst db.Order = "created_at, audit_id"
)

// fillMissing sets what rows leave out.
func fillMissing(entries []Entry) {
	for i := range entries {
		if e := &entries[i]; e.Event == BuyCampaign {
			e.EntityType = Purchase
			if e.CustomerID == "" {
				e.CustomerID = e.User.ID
			}
		}
	}
}

// Place is the position of the last entry of a page. The zero value is before the first.
type Place struct {
	createdAt int64
	id        string
}

// After returns the next entries behind a place, the newest first, for exports. Archived ones are left out.
func After(tx *db.Tx, f Filter, place Place, limit int) ([]Entry, Place, error) {
	archived, err := archivedBefore(tx)
	if err != nil {
		return nil, place, err
	}
	q := f.fromClause(archived)
	if place != (Place{}) {
		q.And("created_at <= ? AND (created_at < ? OR audit_id < ?)", place.createdAt, place.createdAt, place.id)
	}
	return next(tx, q.Select("*").Add(" ORDER BY ? LIMIT ?", newestFirst, limit), place)
}

// next runs a query for the next page, and returns the place of its last entry.
func next(tx *db.Tx, q *db.SQL, place Place) ([]Entry, Place, error) {
	found, err := table.All(tx, "?", q)
	fillMissing(found)
	if len(found) > 0 {
		last := &found[len(found)-1]
		place = Place{last.CreatedAt.UnixMicro(), last.ID}
	}
	return found, place, err
}

// OfCustomer returns the newest entries about a customer, other than their own purchases. They continue after the entry
// with the id older, unless it is empty.
func OfCustomer(tx *db.Tx, customerID, older string, limit int) ([]Entry, error) {
	q := db.NewSQL(`FROM audit_entries WHERE customer_id <> '' AND customer_id = ?`, customerID)
	if older != "" {
		at, err := db.Value[int64](tx, `SELECT created_at FROM audit_entries WHERE audit_id = ?`, older)
		if err != nil {
			return nil, err
		}
		q.And("created_at <= ? AND (created_at < ? OR audit_id < ?)", at, at, older)
	}
	found, _, err := next(tx, q.Select("*").Add(" ORDER BY ? LIMIT ?", newestFirst, limit), Place{})
	return found, err
}
