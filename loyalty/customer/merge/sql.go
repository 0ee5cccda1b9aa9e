package merge

import (
	"strings"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const columns = "store_id, merge_id, kept_id, merged_id, merged_at, merged_by, undone_at, undone_by, points, " +
	"coupons, receipts, record"

// listColumns leaves out the records, which are large.
var listColumns = strings.TrimSuffix(columns, "record") + `CASE WHEN record = 'null' THEN record ELSE '{}' END`

func (m *Merge) row() []any {
	return []any{
		&m.StoreKey, &m.ID, &m.TargetID, &m.MergedID, db.Time(&m.MergedAt), &m.MergedBy, db.Time(&m.UndoneAt),
		&m.UndoneBy, &m.Points, &m.Coupons, &m.Receipts, db.JSON(&m.Record),
	}
}

func insertMerge(tx *db.Tx, m *Merge) error {
	return tx.Insert("customer_merges", columns, "", m.row())
}

// findMerge reads a merge. lock is the end of the query.
func findMerge(tx *db.Tx, storeKey int64, id, lock string) (*Merge, error) {
	m, found, err := db.One(tx, (*Merge).row,
		`SELECT `+columns+` FROM customer_merges WHERE store_id = ? AND merge_id = ?`+lock, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &m, err
}

func saveUndone(tx *db.Tx, m *Merge) error {
	_, err := tx.Exec(`UPDATE customer_merges SET undone_at = ?, undone_by = ?, record = 'null'
		WHERE store_id = ? AND merge_id = ?`, db.Time(&m.UndoneAt), m.UndoneBy, m.StoreKey, m.ID)
	return err
}

// listed is how many merges of a customer are listed at most, on either side.
const listed = 2 * MergeLimit

// mergesOf returns the merges of a customer, the newest first.
func mergesOf(tx *db.Tx, storeKey int64, customerID string) ([]Merge, error) {
	return db.All(tx, (*Merge).row, `SELECT `+listColumns+` FROM (SELECT * FROM customer_merges
			WHERE store_id = ? AND kept_id = ?
		UNION ALL SELECT * FROM customer_merges WHERE store_id = ? AND merged_id = ?) AS either
		ORDER BY merge_id DESC LIMIT ?`, storeKey, customerID, storeKey, customerID, listed)
}

// forgetRecords makes the merges of a customer final, whose records have personal data.
func forgetRecords(tx *db.Tx, storeKey int64, customerID string) error {
	for _, side := range []string{"kept_id", "merged_id"} {
		_, err := tx.Exec(`UPDATE customer_merges SET record = 'null' WHERE store_id = ? AND `+side+` = ?
			AND record <> 'null'`, storeKey, customerID)
		if err != nil {
			return err
		}
	}
	return nil
}
