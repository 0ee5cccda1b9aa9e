package idempotency

import (
	"context"
	"slices"
	"time"

	"punchcard/platform/db"
)

const columns = "store_id, request_key, digest, status, content_type, location, body, created_at"

func (k *stored) row() []any {
	return []any{
		&k.StoreKey, &k.Key, &k.Digest, &k.Status, &k.ContentType, &k.Location, &k.Body, db.Time(&k.createdAt),
	}
}

func keys(requests []*Request) []string {
	all := make([]string, len(requests))
	for i, r := range requests {
		all[i] = r.Key
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func find(tx *db.Tx, storeKey int64, keys []string) ([]stored, error) {
	wanted, args := tx.Among([]any{storeKey}, keys...)
	return db.All(tx, (*stored).row, `SELECT `+columns+` FROM `+wanted+` CROSS JOIN idempotency_keys
		WHERE store_id = v.store AND request_key = v.column1`, args...)
}

// lock takes what no transaction of another node has, without waiting, and returns the other keys. A number stands for
// a key there; two keys with one number would wait for each other, and no harm is done.
func lock(tx *db.Tx, storeKey int64, keys []string) (elsewhere map[string]bool, err error) {
	wanted, args := tx.Among([]any{storeKey}, keys...)
	err = db.Each(tx, func(key *string) []any { return []any{key} }, func(key string) {
		if elsewhere == nil {
			elsewhere = map[string]bool{}
		}
		elsewhere[key] = true
	}, `SELECT v.column1 FROM `+wanted+` WHERE NOT pg_try_advisory_xact_lock(hashtextextended(v.column1, $1))`, args...)
	return elsewhere, err
}

func insert(tx *db.Tx, made []*stored) error {
	rows := make([][]any, len(made))
	for i, one := range made {
		rows[i] = one.row()
	}
	return tx.Insert("idempotency_keys", columns, "", rows...)
}

// removedAtOnce is how many rows one write removes: few enough not to hold up others.
const removedAtOnce = 1000

// Expire is the job that removes what was kept for longer than the life.
func Expire(d *db.DB, life time.Duration) func(ctx context.Context) (removed int64, err error) {
	return func(ctx context.Context) (removed int64, err error) {
		for {
			var n int64
			err := d.Write(ctx, func(tx *db.Tx) (err error) {
				n, err = tx.Exec(`DELETE FROM idempotency_keys WHERE (store_id, request_key) IN (
					SELECT store_id, request_key FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
					tx.Now().Add(-life).UnixMicro(), removedAtOnce)
				return err
			})
			removed += n
			if err != nil || n < removedAtOnce {
				return removed, err
			}
		}
	}
}
