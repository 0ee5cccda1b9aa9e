package notification

import "punchcard/platform/db"

var gatewayTable = db.NewConfiguration("notification_gateways", "store_id", func(g *Gateway) db.Row {
	return db.Row{"store_id", &g.StoreKey, "url", &g.URL, "secret", &g.Secret, "active", &g.Active}
})

func findGateway(tx *db.Tx, storeKey int64) (Gateway, bool, error) {
	return gatewayTable.One(tx, `SELECT * FROM notification_gateways WHERE store_id = ?`, storeKey)
}

func saveGateway(tx *db.Tx, g *Gateway) error {
	return gatewayTable.Put(tx, g)
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
