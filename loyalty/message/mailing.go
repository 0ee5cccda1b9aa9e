package message

import (
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// StateCounts are numbers of messages by state.
type StateCounts map[string]int64

// CountMailing counts the messages of a mailing by channel and state.
func CountMailing(tx *db.Tx, storeKey int64, mailingID string) (map[string]StateCounts, error) {
	counts, err := CountMailings(tx, storeKey, mailingID)
	if counts[mailingID] == nil {
		return map[string]StateCounts{}, err
	}
	return counts[mailingID], err
}

// CountMailings counts the messages of distinct mailings by id, channel and state.
func CountMailings(tx *db.Tx, storeKey int64, ids ...string) (map[string]map[string]StateCounts, error) {
	type row struct {
		id, queue, state string
		n                int64
	}
	counts := map[string]map[string]StateCounts{}
	return counts, db.Each(tx, func(r *row) []any { return []any{&r.id, &r.queue, &r.state, &r.n} }, func(r row) {
		if counts[r.id] == nil {
			counts[r.id] = map[string]StateCounts{}
		}
		channel, _ := channelOf(r.queue)
		if counts[r.id][channel] == nil {
			counts[r.id][channel] = StateCounts{}
		}
		counts[r.id][channel][r.state] += r.n
	}, `SELECT m.mailing_id, m.queue, m.state, COUNT(*) FROM ? AS v (store, id) CROSS JOIN messages m
		WHERE m.store_id = v.store AND m.mailing_id = v.id AND m.mailing_id <> ''
		GROUP BY m.mailing_id, m.queue, m.state`, tx.Among(storeKey, ids...))
}

// DropMailing drops the messages of a mailing that wait, up to a limit, and returns their number.
func DropMailing(tx *db.Tx, storeKey int64, mailingID string, limit int) (int64, error) {
	return tx.Exec(`UPDATE messages SET state = 'dropped', due_at = NULL, finished_at = ?, error = ?, details = '{}'
		WHERE store_id = ? AND state = 'waiting' AND (queue, message_id) IN (SELECT queue, message_id FROM messages
			WHERE store_id = ? AND mailing_id = ? AND mailing_id <> '' AND state = 'waiting' LIMIT ?)`,
		tx.ServerNow().UnixMicro(), "the mailing was stopped", storeKey, storeKey, mailingID, limit)
}

// WaitingMarketing counts the marketing messages of a store that wait, up to a limit.
func WaitingMarketing(tx *db.Tx, storeKey int64) (int, error) {
	queues := make([]string, 0, len(transports))
	for _, transport := range transports {
		queues = append(queues, transport+marketingSuffix)
	}
	return countWaiting(tx, storeKey, queues...)
}

// MailingChannels are the channels of mailings: those of messages, and the inbox.
var MailingChannels = []string{template.Email, template.SMS, template.Push, template.Inbox}
