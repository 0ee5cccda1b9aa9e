package notification

import "punchcard/platform/db"

func (g *Gateway) row() []any { return []any{&g.StoreKey, &g.URL, &g.Secret, &g.Active} }

func findGateway(tx *db.Tx, storeKey int64) (Gateway, bool, error) {
	return db.One(tx, (*Gateway).row,
		`SELECT store_id, url, secret, active FROM notification_gateways WHERE store_id = ?`, storeKey)
}

func saveGateway(tx *db.Tx, g *Gateway) error {
	return tx.Insert("notification_gateways", "store_id, url, secret, active", `ON CONFLICT (store_id) DO UPDATE
		SET url = excluded.url, secret = excluded.secret, active = excluded.active`, g.row())
}

func deleteGateway(tx *db.Tx, storeKey int64) error {
	_, err := tx.Exec(`DELETE FROM notification_gateways WHERE store_id = ?`, storeKey)
	return err
}

// clearItems removes the keys of a finished push's notifications, which are personal data.
func clearItems(tx *db.Tx, p *Push) error {
	_, err := tx.Exec(`UPDATE notification_pushes SET items = 'null' WHERE store_id = ? AND push_id = ?`,
		p.StoreKey, p.ID)
	return err
}

// abandon marks some pushes of a store without a gateway as dead, and returns how many.
func abandon(tx *db.Tx, storeKey int64) (int64, error) {
	return tx.Exec(`UPDATE notification_pushes SET items = 'null', state = 'dead', due_at = NULL, finished_at = ?,
		error = 'the store has no gateway' WHERE store_id = ? AND push_id IN (
		SELECT push_id FROM notification_pushes WHERE store_id = ? AND state = 'pending' LIMIT ?)`,
		tx.ServerNow().UnixMicro(), storeKey, storeKey, removedAtOnce)
}
