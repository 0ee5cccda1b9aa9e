package merge

import (
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// listColumns leaves out the records, which are large.
const listColumns = `*, CASE WHEN record = 'null' THEN record ELSE '{}' END AS record`

var table = db.NewTable("customer_merges", "store_id, merge_id", func(m *Merge) db.Row {
	return db.Row{
		"store_id", &m.StoreKey, "merge_id", &m.ID, "kept_id", &m.TargetID, "merged_id", &m.MergedID,
		"merged_at", db.Time(&m.MergedAt), "merged_by", &m.MergedBy, "undone_at", db.Time(&m.UndoneAt),
		"undone_by", &m.UndoneBy, "points", &m.Points, "coupons", &m.Coupons, "receipts", &m.Receipts,
		"record", db.JSON(&m.Record),
	}
}).Apart("record")

func insertMerge(tx *db.Tx, m *Merge) error {
	return table.Insert(tx, m)
}

// findMerge reads a merge. lock is the end of the query.
func findMerge(tx *db.Tx, storeKey int64, id, lock string) (*Merge, error) {
	m, found, err := table.One(tx, `SELECT *, record FROM customer_merges WHERE store_id = ? AND merge_id = ?`+lock,
		storeKey, id)
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
	return table.All(tx, `SELECT `+listColumns+` FROM (SELECT * FROM customer_merges
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
