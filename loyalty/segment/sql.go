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

// row returns the columns. parts is what the last one is read into or written from.
func (s *Segment) row(parts any) []any {
	return []any{
		&s.StoreKey, &s.ID, &s.Name, &s.Description, &s.Active, &s.Open, &s.Deleted, db.Time(&s.CreatedAt), &s.Version,
		&s.Generation, db.JSON(&s.Basis), db.JSON(&s.NextBasis), db.JSON(parts),
	}
}

func (svc *Service) row(s *Segment) []any { return s.row(&storedParts{&s.Parts, svc}) }

// nameKey returns the form in which filters compare names: in lower case. The leading space keeps a name that
// looks like a UUID from being stored as one, so that LIKE works on it.
func nameKey(name string) string { return " " + keytext.Fold(name) }

func insertSegment(tx *db.Tx, s *Segment) error {
	return tx.Insert("segments", columns+", name_key, name_order", "",
		append(s.row(s.Parts), nameKey(s.Name), search.Fold(s.Name)))
}

// updateSegment writes all columns of a segment. Its store is locked.
func updateSegment(tx *db.Tx, s *Segment) error {
	_, err := tx.Exec(`UPDATE segments SET name = ?, name_key = ?, description = ?, active = ?, open = ?,
		deleted = ?, version = ?, generation = ?, basis = ?, next_basis = ?, parts = ?, name_order = ?
		WHERE store_id = ? AND segment_id = ?`,
		s.Name, nameKey(s.Name), s.Description, s.Active, s.Open, s.Deleted, s.Version, s.Generation, db.JSON(&s.Basis),
		db.JSON(&s.NextBasis), db.JSON(&s.Parts), search.Fold(s.Name), s.StoreKey, s.ID)
	return err
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

// all lists the segments of a store, including deleted ones that still have memberships.
func (svc *Service) all(tx *db.Tx, storeKey int64) ([]Segment, error) {
	var segments []Segment
	err := tx.Run(svc.selectAll(storeKey, &segments))
	return segments, err
}

func (svc *Service) selectAll(storeKey int64, segments *[]Segment) db.Query {
	return db.Select(svc.row, func(s Segment) { *segments = append(*segments, s) },
		`SELECT `+columns+` FROM segments WHERE store_id = ? ORDER BY segment_id`, storeKey)
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
