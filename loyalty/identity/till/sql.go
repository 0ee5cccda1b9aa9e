package till

import (
	"punchcard/core/api"
	"punchcard/platform/db"
)

var table = db.NewTable("tills", "store_id, till_id", func(t *Till) db.Row {
	return db.Row{
		"store_id", &t.StoreKey, "till_id", &t.ID, "name", &t.Name, "pos_id", &t.POSID, "enrolled_by", &t.EnrolledBy,
		"enrolled_at", db.Time(&t.EnrolledAt), "secret_hash", &t.hash,
	}
})

func insertTill(tx *db.Tx, t *Till) error { return table.Insert(tx, t) }

// findTill finds a till by its id.
func findTill(tx *db.Tx, storeKey int64, id string) (Till, bool, error) {
	return table.One(tx, `SELECT * FROM tills WHERE store_id = ? AND till_id = ?`, storeKey, id)
}

// findBySecret finds the till of a store whose device has the secret.
func findBySecret(tx *db.Tx, storeKey int64, secret string) (Till, bool, error) {
	return table.One(tx, `SELECT * FROM tills WHERE store_id = ? AND secret_hash = ?`,
		storeKey, hashOf(secret))
}

// lockBySecret is findBySecret with a row lock, so that the till is not revoked before the transaction ends.
func lockBySecret(tx *db.Tx, storeKey int64, secret string) (Till, bool, error) {
	return table.One(tx, `SELECT * FROM tills WHERE store_id = ? AND secret_hash = ? FOR UPDATE`,
		storeKey, hashOf(secret))
}

// deleteTill reports whether the store had the till.
func deleteTill(tx *db.Tx, storeKey int64, id string) (deleted bool, err error) {
	n, err := tx.Exec(`DELETE FROM tills WHERE store_id = ? AND till_id = ?`, storeKey, id)
	return n > 0, err
}

// readPage returns one page of the tills of a store, the last enrolled first, and their total.
func readPage(tx *db.Tx, storeKey int64, page api.Page) (found []Till, total int, err error) {
	total, err = db.Value[int](tx, `SELECT COUNT(*) FROM tills WHERE store_id = ?`, storeKey)
	if err != nil {
		return nil, 0, err
	}
	found, err = table.All(tx, `SELECT * FROM tills WHERE store_id = ?
		ORDER BY till_id DESC LIMIT ? OFFSET ?`, storeKey, page.Limit, page.Offset)
	return found, total, err
}
