package invitation

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// handOver makes at most limit invitations of a customer those of another one, in a merge of two customers, and returns
// their ids.
func handOver(tx *db.Tx, s *store.Store, from, to string, limit int) ([]string, int, error) {
	ids, err := db.AllValues[string](tx, `SELECT invitation_id FROM invitations
		WHERE store_id = ? AND referrer_id = ? ORDER BY invitation_id LIMIT ? FOR UPDATE`, s.Key, from, limit)
	if err != nil {
		return nil, 0, err
	}
	return ids, len(ids), moveInvitations(tx, s, from, to, ids)
}

// moveInvitations makes some invitations of a customer those of another one.
func moveInvitations(tx *db.Tx, s *store.Store, from, to string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE invitations SET referrer_id = ? WHERE store_id = ? AND referrer_id = ?
		AND invitation_id IN ?`, to, s.Key, from, db.List(ids))
	return err
}
