package message

import (
	"strings"

	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// StateCounts are numbers of messages by state.
type StateCounts map[string]int64

// CountMailing counts the messages of a mailing by channel and state.
func CountMailing(tx *db.Tx, storeKey int64, mailingID string) (map[string]StateCounts, error) {
	type row struct {
		queue, state string
		n            int64
	}
	counts := map[string]StateCounts{}
	return counts, db.Each(tx, func(r *row) []any { return []any{&r.queue, &r.state, &r.n} }, func(r row) {
		channel := strings.TrimSuffix(r.queue, marketingSuffix)
		if counts[channel] == nil {
			counts[channel] = StateCounts{}
		}
		counts[channel][r.state] += r.n
	}, `SELECT queue, state, COUNT(*) FROM messages
		WHERE store_id = $1 AND mailing_id = $2 AND mailing_id <> '' GROUP BY queue, state`, storeKey, mailingID)
}

// DropMailing drops the messages of a mailing that wait, up to a limit, and returns their number.
func DropMailing(tx *db.Tx, storeKey int64, mailingID string, limit int) (int64, error) {
	return tx.Exec(`UPDATE messages SET state = 'dropped', due_at = NULL, finished_at = $3, error = $4, details = '{}'
		WHERE store_id = $1 AND state = 'waiting' AND (queue, message_id) IN (SELECT queue, message_id FROM messages
			WHERE store_id = $1 AND mailing_id = $2 AND mailing_id <> '' AND state = 'waiting' LIMIT $5)`,
		storeKey, mailingID, tx.ServerNow().UnixMicro(), "the mailing was stopped", limit)
}

// WaitingMarketing counts the marketing messages of a store that wait, up to a limit.
func WaitingMarketing(tx *db.Tx, storeKey int64) (int, error) {
	queues := make([]string, 0, len(channels))
	for _, channel := range channels {
		queues = append(queues, channel+marketingSuffix)
	}
	return countWaiting(tx, storeKey, queues...)
}

// MailingChannels are the channels of mailings: those of messages, and the inbox.
var MailingChannels = []string{template.Email, template.SMS, template.Push, template.Inbox}
