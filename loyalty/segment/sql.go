package segment

import (
	"fmt"
	"slices"
	"strings"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const columns = "store_id, segment_id, name, description, active, open, deleted, created_at, version, generation, " +
	"basis, next_basis, parts"

func (s *Segment) row() []any {
	return []any{
		&s.StoreKey, &s.ID, &s.Name, &s.Description, &s.Active, &s.Open, &s.Deleted, db.Time(&s.CreatedAt), &s.Version,
		&s.Generation, db.JSON(&s.Basis), db.JSON(&s.NextBasis), db.JSON(&s.Parts),
	}
}

// nameKey returns the form in which filters compare names: in lower case. The leading space keeps a name that
// looks like a UUID from being stored as one, so that LIKE works on it.
func nameKey(name string) string { return " " + strings.ToLower(name) }

func insert(tx *db.Tx, s *Segment) error {
	return tx.Insert("segments", columns+", name_key", "", append(s.row(), nameKey(s.Name)))
}

// update writes all columns of a segment. Its store is locked.
func update(tx *db.Tx, s *Segment) error {
	_, err := tx.Exec(`UPDATE segments SET name = $3, name_key = $4, description = $5, active = $6, open = $7,
		deleted = $8, version = $9, generation = $10, basis = $11, next_basis = $12, parts = $13
		WHERE store_id = $1 AND segment_id = $2`,
		s.StoreKey, s.ID, s.Name, nameKey(s.Name), s.Description, s.Active, s.Open, s.Deleted, s.Version, s.Generation,
		db.JSON(&s.Basis), db.JSON(&s.NextBasis), db.JSON(&s.Parts))
	return err
}

// taken reports whether another segment of the store has the name.
func taken(tx *db.Tx, storeKey int64, name, exceptID string) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM segments
		WHERE store_id = $1 AND name = $2 AND segment_id <> $3 AND NOT deleted`, storeKey, name, exceptID)
	return n > 0, err
}

func find(tx *db.Tx, storeKey int64, id string) (*Segment, error) {
	s, found, err := db.One(tx, (*Segment).row, `SELECT `+columns+` FROM segments
		WHERE store_id = $1 AND segment_id = $2 AND NOT deleted`, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &s, err
}

// all lists the segments of a store, including deleted ones that still have memberships.
func all(tx *db.Tx, storeKey int64) ([]Segment, error) {
	return db.All(tx, (*Segment).row,
		`SELECT `+columns+` FROM segments WHERE store_id = $1 ORDER BY segment_id`, storeKey)
}

// existing lists the segments of a store that are not deleted.
func existing(tx *db.Tx, storeKey int64) ([]Segment, error) {
	segments, err := all(tx, storeKey)
	return slices.DeleteFunc(segments, func(s Segment) bool { return s.Deleted }), err
}

var sortable = map[string]string{
	"segmentId": "segment_id", "name": "name_key", "description": "description", "active": "active",
	"createdAt": "created_at",
}

// filter selects segments of a list.
type filter struct {
	name   string // part of the name, ignoring case
	active *bool  // nil for both
}

func page(tx *db.Tx, storeKey int64, f filter, order string, limit, offset int) (
	found []Segment, total int, err error) {
	from, args := ` FROM segments WHERE store_id = $1 AND NOT deleted AND name_key LIKE $2 ESCAPE '\'`,
		[]any{storeKey, "%" + escaped.Replace(strings.ToLower(f.name)) + "%"}
	if f.active != nil {
		from += ` AND active = $3`
		args = append(args, *f.active)
	}
	if total, err = db.Value[int](tx, `SELECT COUNT(*)`+from, args...); err != nil {
		return nil, 0, err
	}
	n := len(args)
	found, err = db.All(tx, (*Segment).row, `SELECT `+columns+from+` ORDER BY `+order+
		fmt.Sprintf(` LIMIT $%d OFFSET $%d`, n+1, n+2), append(args, limit, offset)...)
	return found, total, err
}

var escaped = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// insertLists stores the customers that the criteria of a segment list.
func insertLists(tx *db.Tx, s *Segment) error {
	var rows [][]any
	for i := range s.Parts {
		for j := range s.Parts[i].Criteria {
			c := &s.Parts[i].Criteria[j]
			for position, customerID := range c.Customers {
				rows = append(rows, []any{s.StoreKey, customerID, c.ID, s.ID, position})
			}
			c.Customers = nil
		}
	}
	return tx.Insert("segment_lists", "store_id, customer_id, criterion_id, segment_id, position", "", rows...)
}

func deleteLists(tx *db.Tx, s *Segment) error {
	_, err := tx.Exec(`DELETE FROM segment_lists WHERE store_id = $1 AND segment_id = $2`, s.StoreKey, s.ID)
	return err
}

// readLists fills in the customers that the criteria of segments list.
func readLists(tx *db.Tx, storeKey int64, segments []Segment) error {
	type listed struct{ criterionID, customerID string }
	criteria, ids := map[string]*Criterion{}, []string(nil)
	for i := range segments {
		for _, part := range segments[i].Parts {
			for j := range part.Criteria {
				if c := &part.Criteria[j]; c.Type == CustomerList {
					criteria[c.ID], ids = c, append(ids, segments[i].ID)
				}
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	wanted, args := tx.Among([]any{storeKey}, db.Distinct(ids)...)
	return db.Each(tx, func(l *listed) []any { return []any{&l.criterionID, &l.customerID} }, func(l listed) {
		if c := criteria[l.criterionID]; c != nil {
			c.Customers = append(c.Customers, l.customerID)
		}
	}, `SELECT l.criterion_id, l.customer_id FROM `+wanted+` CROSS JOIN segment_lists l
		WHERE l.store_id = v.store AND l.segment_id = v.column1 ORDER BY l.segment_id, l.position`, args...)
}

// eachListed visits the criteria that list each customer. The ids must be distinct.
func eachListed(tx *db.Tx, storeKey int64, customerIDs []string, visit func(customerID, criterionID string)) error {
	type listed struct{ customerID, criterionID string }
	wanted, args := tx.Among([]any{storeKey}, customerIDs...)
	return db.Each(tx, func(l *listed) []any { return []any{&l.customerID, &l.criterionID} },
		func(l listed) { visit(l.customerID, l.criterionID) },
		`SELECT l.customer_id, l.criterion_id FROM `+wanted+` CROSS JOIN segment_lists l
			WHERE l.store_id = v.store AND l.customer_id = v.column1`, args...)
}
