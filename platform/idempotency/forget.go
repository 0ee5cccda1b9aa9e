package idempotency

import (
	"slices"
	"strings"

	"punchcard/platform/db"
)

// forgottenAtOnce is how many answers one call of Forget looks at.
const forgottenAtOnce = 500

// Forget clears the answers of a store that hold one of the texts, which must not be empty, some at a time: it goes on
// behind the key after, and returns the last one it looked at, empty when there are no more. What is sent again with
// the key of such an answer still takes no effect; it is answered with the status alone.
func Forget(tx *db.Tx, storeKey int64, after string, texts ...string) (last string, err error) {
	type answer struct{ key, body string }
	found, err := db.All(tx, func(a *answer) []any { return []any{&a.key, &a.body} }, `SELECT request_key, body
		FROM idempotency_keys WHERE store_id = $1 AND request_key > $2 ORDER BY request_key LIMIT $3`,
		storeKey, after, forgottenAtOnce)
	if err != nil {
		return "", err
	}
	if len(found) == forgottenAtOnce {
		last = found[forgottenAtOnce-1].key
	}
	var keys []string
	for _, a := range found {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(a.body, text) }) {
			keys = append(keys, a.key)
		}
	}
	if len(keys) == 0 {
		return last, nil
	}
	list, args := db.In([]any{storeKey}, keys...)
	_, err = tx.Exec(`UPDATE idempotency_keys SET content_type = '', location = '', body = ''
		WHERE store_id = $1 AND request_key IN `+list, args...)
	return last, err
}
