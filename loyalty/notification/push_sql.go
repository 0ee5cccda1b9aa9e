package notification

import (
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

func (g *Gateway) row() []any { return []any{&g.StoreKey, &g.URL, &g.Secret, &g.Active} }

func findGateway(tx *db.Tx, storeKey int64) (Gateway, bool, error) {
	return db.One(tx, (*Gateway).row,
		`SELECT store_id, url, secret, active FROM notification_gateways WHERE store_id = $1`, storeKey)
}

func saveGateway(tx *db.Tx, g *Gateway) error {
	return tx.Insert("notification_gateways", "store_id, url, secret, active", `ON CONFLICT (store_id) DO UPDATE
		SET url = excluded.url, secret = excluded.secret, active = excluded.active`, g.row())
}

func deleteGateway(tx *db.Tx, storeKey int64) error {
	_, err := tx.Exec(`DELETE FROM notification_gateways WHERE store_id = $1`, storeKey)
	return err
}

const pushColumns = "store_id, push_id, items, size, state, attempts, created_at, due_at, attempted_at, status, " +
	"error, finished_at"

func (p *Push) row() []any {
	return []any{
		&p.StoreKey, &p.ID, db.JSON(&p.Items), &p.Size, &p.State, &p.Attempts, db.Time(&p.CreatedAt), db.Time(&p.DueAt),
		db.Time(&p.AttemptedAt), &p.Status, &p.Error, db.Time(&p.FinishedAt),
	}
}

// nextDue returns the push of a store that has been due longest.
func nextDue(tx *db.Tx, storeKey int64) (Push, bool, error) {
	return db.One(tx, (*Push).row, `SELECT `+pushColumns+` FROM notification_pushes
		WHERE store_id = $1 AND due_at IS NOT NULL AND due_at <= $2 ORDER BY due_at LIMIT 1`,
		storeKey, tx.ServerNow().UnixMicro())
}

func lockPush(tx *db.Tx, storeKey int64, id string) (Push, bool, error) {
	return db.One(tx, (*Push).row, `SELECT `+pushColumns+` FROM notification_pushes
		WHERE store_id = $1 AND push_id = $2 FOR UPDATE`, storeKey, id)
}

func updatePush(tx *db.Tx, p *Push) error {
	_, err := tx.Exec(`UPDATE notification_pushes SET items = $3, state = $4, attempts = $5, due_at = $6,
		attempted_at = $7, status = $8, error = $9, finished_at = $10 WHERE store_id = $1 AND push_id = $2`,
		p.StoreKey, p.ID, db.JSON(&p.Items), p.State, p.Attempts, db.Time(&p.DueAt), db.Time(&p.AttemptedAt), p.Status,
		p.Error, db.Time(&p.FinishedAt))
	return err
}

// pushes returns a page of the pushes of a store, the newest first. An empty state means all. total
// stops counting at CountLimit.
func pushes(tx *db.Tx, storeKey int64, state string, limit, offset int) (found []Push, total int64, err error) {
	where, args := ` FROM notification_pushes WHERE store_id = $1`, []any{storeKey, limit, offset}
	if state != "" {
		where, args = where+` AND state = $4`, append(args, state)
	}
	found, err = db.All(tx, (*Push).row,
		`SELECT `+pushColumns+where+` ORDER BY push_id DESC LIMIT $2 OFFSET $3`, args...)
	if err != nil {
		return nil, 0, err
	}
	args[1], args[2] = CountLimit, 0
	total, err = db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1`+where+` LIMIT $2 OFFSET $3) AS listed`, args...)
	return found, total, err
}

// removeFinished deletes some pushes that finished before a time of the store's clock.
func removeFinished(tx *db.Tx, s *store.Store, before time.Time) (int, error) {
	n, err := tx.Exec(`DELETE FROM notification_pushes WHERE store_id = $1 AND push_id IN (
		SELECT push_id FROM notification_pushes WHERE store_id = $1 AND finished_at IS NOT NULL AND finished_at < $2
		ORDER BY finished_at LIMIT $3)`, s.Key, before.Add(-s.Ahead).UnixMicro(), removedAtOnce)
	return int(n), err
}

// abandon marks some pushes of a store without a gateway as dead, and returns how many.
func abandon(tx *db.Tx, storeKey int64) (int64, error) {
	return tx.Exec(`UPDATE notification_pushes SET items = 'null', state = 'dead', due_at = NULL, finished_at = $2,
		error = 'the store has no gateway' WHERE store_id = $1 AND push_id IN (
		SELECT push_id FROM notification_pushes WHERE store_id = $1 AND state = 'pending' LIMIT $3)`,
		storeKey, tx.ServerNow().UnixMicro(), removedAtOnce)
}
