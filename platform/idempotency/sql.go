package idempotency

import (
	"context"
	"slices"
	"time"

	"punchcard/platform/db"
)

var table = db.NewTable("idempotency_keys", "store_id, request_key", func(s *stored) db.Row {
	return db.Row{
		"store_id", &s.StoreKey, "request_key", &s.Key, "digest", &s.Digest, "status", &s.Status,
		"content_type", &s.ContentType, "location", &s.Location, "body", &s.Body, "created_at", db.Time(&s.createdAt),
	}
})

// keys returns the keys of requests in order, each once.
func keys(requests []*Request) []string {
	all := make([]string, len(requests))
	for i, r := range requests {
		all[i] = r.Key
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (b *Batch) find(tx *db.Tx, storeKey int64, keys []string) db.Query {
	return table.Select(func(s stored) { b.known[s.Key] = &s }, `SELECT k.*
		FROM ? AS v (store, key)
		CROSS JOIN idempotency_keys k WHERE k.store_id = v.store AND k.request_key = v.key`,
		tx.Among(storeKey, keys...))
}

// lock locks the keys until the transaction ends, without waiting, and notes those that another transaction has locked.
// The locks are numbers; two keys with the same number are locked together, which does no harm.
func (b *Batch) lock(tx *db.Tx, storeKey int64, keys []string) db.Query {
	return db.Select(func(key *string) []any { return []any{key} }, func(key string) { b.inFlight[key] = true },
		`SELECT v.key FROM ? AS v (store, key) WHERE NOT pg_try_advisory_xact_lock(hashtextextended(v.key, v.store))`,
		tx.Among(storeKey, keys...))
}

// expiryBatch is the number of rows that one transaction deletes, so that others do not wait long.
const expiryBatch = 1000

// Expire returns the job that deletes responses older than the retention.
func Expire(d *db.DB, retention time.Duration) func(ctx context.Context) (removed int64, err error) {
	return func(ctx context.Context) (removed int64, err error) {
		return d.WriteSteps(ctx, func(tx *db.Tx) (int64, error) {
			return tx.DeleteSome("idempotency_keys", "store_id, request_key",
				db.NewSQL("created_at < ? ORDER BY created_at", tx.Now().Add(-retention).UnixMicro()), expiryBatch)
		})
	}
}

// Replace overwrites the response to a request that was stored before its work was complete. It ignores nil.
func Replace(tx *db.Tx, r *Request, response Response) error {
	if r == nil {
		return nil
	}
	if len(response.Body) > ResponseLimit {
		response.ContentType, response.Body = "", ""
	}
	return table.Update(tx, "status, content_type, location, body", &stored{Request: *r, Response: response})
}
