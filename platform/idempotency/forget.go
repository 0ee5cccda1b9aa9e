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
	found, err := table.All(tx, `SELECT store_id, request_key, body FROM idempotency_keys
		WHERE store_id = ? AND request_key > ? ORDER BY request_key LIMIT ?`, storeKey, after, forgetBatch)
	if err != nil {
		return "", err
	}
	if len(found) == forgetBatch {
		last = found[forgetBatch-1].Key
	}
	var cleared []*stored
	for i := range found {
		s := &found[i]
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(s.Body, text) }) {
			s.Body = ""
			cleared = append(cleared, s)
		}
	}
	return last, table.Update(tx, "content_type, location, body", cleared...)
}
