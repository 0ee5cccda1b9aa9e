package invitation

import "punchcard/platform/db"

// HandOver makes at most limit invitations of a customer those of another one, in a merge of two customers, and returns
// their ids.
func HandOver(tx *db.Tx, storeKey int64, from, to string, limit int) ([]string, error) {
	ids, err := db.All(tx, func(id *string) []any { return []any{id} }, `SELECT invitation_id FROM invitations
		WHERE store_id = ? AND referrer_id = ? ORDER BY invitation_id LIMIT ? FOR UPDATE`, storeKey, from, limit)
	if err != nil {
		return nil, err
	}
	return ids, Move(tx, storeKey, from, to, ids)
}

// Move makes some invitations of a customer those of another one.
func Move(tx *db.Tx, storeKey int64, from, to string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE invitations SET referrer_id = ? WHERE store_id = ? AND referrer_id = ?
		AND invitation_id IN ?`, to, storeKey, from, db.List(ids))
	return err
}
