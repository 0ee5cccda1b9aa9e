package segment

import (
	"slices"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
	"punchcard/platform/search"
)

const columns = "store_id, segment_id, name, description, active, open, deleted, created_at, version, generation, " +
	"basis, next_basis, parts"

func (svc *Service) row(s *Segment) []any {
	return []any{
		&s.StoreKey, &s.ID, &s.Name, &s.Description, &s.Active, &s.Open, &s.Deleted, db.Time(&s.CreatedAt), &s.Version,
		&s.Generation, db.JSON(&s.Basis), db.JSON(&s.NextBasis), db.JSON(&storedParts{&s.Parts, svc}),
	}
}

// nameKey returns the form in which filters compare names: in lower case. The leading space keeps a name that
// looks like a UUID from being stored as one, so that LIKE works on it.
func nameKey(name string) string { return " " + keytext.Fold(name) }

// table writes segments. Service reads them, because it knows the types of criteria.
var table = db.NewConfiguration("segments", "store_id, segment_id", func(s *Segment) db.Row {
	return db.Row{
		"store_id", &s.StoreKey, "segment_id", &s.ID, "name", &s.Name, "description", &s.Description, "active", &s.Active,
		"open", &s.Open, "deleted", &s.Deleted, "created_at", db.Time(&s.CreatedAt), "version", &s.Version,
		"generation", &s.Generation, "basis", db.JSON(&s.Basis), "next_basis", db.JSON(&s.NextBasis),
		"parts", db.JSON(&s.Parts), "name_key", db.Derived(&s.Name, nameKey), "name_order", db.Derived(&s.Name, search.Fold),
	}
})

func insertSegment(tx *db.Tx, s *Segment) error { return table.Insert(tx, s) }

// updateSegment writes all columns of a segment. Its store is locked.
func updateSegment(tx *db.Tx, s *Segment) error {
	return table.Update(tx, "name, name_key, description, active, open, deleted, version, generation, basis, next_basis, "+
		"parts, name_order", s)
}

// isNameTaken reports whether another segment of the store has the name.
func isNameTaken(tx *db.Tx, storeKey int64, name, exceptID string) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM segments
		WHERE store_id = ? AND name = ? AND segment_id <> ? AND NOT deleted`, storeKey, name, exceptID)
	return n > 0, err
}

func (svc *Service) find(tx *db.Tx, storeKey int64, id string) (*Segment, error) {
	s, found, err := db.One(tx, svc.row, `SELECT `+columns+` FROM segments
		WHERE store_id = ? AND segment_id = ? AND NOT deleted`, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &s, err
}

// all lists the segments of a store, including deleted ones that still have memberships. Nobody may change the parts.
func (svc *Service) all(tx *db.Tx, storeKey int64) ([]Segment, error) {
	segments, err := svc.stored.Of(tx, storeKey)
	return slices.Clone(segments), err
}

func (svc *Service) readAll(tx *db.Tx, storeKey int64) ([]Segment, error) {
	return db.All(tx, svc.row, `SELECT `+columns+` FROM segments WHERE store_id = ? ORDER BY segment_id`, storeKey)
}

// existing returns the segments that are not deleted.
func existing(segments []Segment) []Segment {
	return slices.DeleteFunc(segments, func(s Segment) bool { return s.Deleted })
}

var sortable = api.Order{Tie: "segment_id", Columns: map[string]api.Column{
	"segmentId": "segment_id", "name": "name_order", "description": "description", "active": "active",
	"createdAt": "created_at",
}}

// filter selects segments of a list.
type filter struct {
	name   string // part of the name, ignoring case
	active *bool  // nil for both
}

func (svc *Service) page(tx *db.Tx, storeKey int64, f filter, request api.Page) (
	found []Segment, total int, err error) {
	from := db.NewSQL(`FROM segments WHERE store_id = ? AND NOT deleted AND name_key LIKE ? ESCAPE '\'`,
		storeKey, db.Containing(keytext.Fold(f.name)))
	if f.active != nil {
		from.And(`active = ?`, *f.active)
	}
	counted := from.Select("COUNT(*)")
	if total, err = db.Value[int](tx, counted.Text(), counted.Args()...); err != nil {
		return nil, 0, err
	}
	q := request.AddTo(from.Select(columns), sortable)
	found, err = db.All(tx, svc.row, q.Text(), q.Args()...)
	return found, total, err
}
