package idempotency

import (
	"slices"
	"strings"

	"punchcard/platform/db"
)

// forgetBatch is the number of responses that one call of Forget reads.
const forgetBatch = 500

// Forget clears the stored responses of a store that contain one of the texts, which must not be empty. Each call reads
// a batch of responses with keys after the given one, and returns the last of these keys, empty at the end. Requests
// with the key of a cleared response still have no further effect; their response is the status alone.
func Forget(tx *db.Tx, storeKey int64, after string, texts ...string) (last string, err error) {
	type response struct{ key, body string }
	found, err := db.All(tx, func(r *response) []any { return []any{&r.key, &r.body} }, `SELECT request_key, body
		FROM idempotency_keys WHERE store_id = $1 AND request_key > $2 ORDER BY request_key LIMIT $3`,
		storeKey, after, forgetBatch)
	if err != nil {
		return "", err
	}
	if len(found) == forgetBatch {
		last = found[forgetBatch-1].key
	}
	var keys []string
	for _, r := range found {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(r.body, text) }) {
			keys = append(keys, r.key)
		}
	}
	if len(keys) == 0 {
		return last, nil
	}
	q := db.NewSQL(`UPDATE idempotency_keys SET content_type = '', location = '', body = ''
		WHERE store_id = ? AND request_key IN ?`, storeKey, db.List(keys))
	_, err = tx.Exec(q.Text(), q.Args()...)
	return last, err
}
